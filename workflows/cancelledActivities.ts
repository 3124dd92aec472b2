import type { ActivityInterceptorsFactory } from "@temporalio/worker";

/**
 * Lets an activity that fails after its cancellation was requested end as cancelled, whatever it failed with: a statement of QuestDB that is given up
 * fails with an error of its own, which its workflow would take for a failure of its work.
 */
export const cancelledActivities: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    execute: async (input, next) => {
      try {
        return await next(input);
      } catch (error) {
        // The signal also aborts when a worker stops: then the activity is to be tried again.
        throw context.cancellationDetails?.cancelRequested ? context.cancellationSignal.reason : error;
      }
    },
  },
});
