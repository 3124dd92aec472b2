package dev.lookout;

import com.google.protobuf.Struct;
import dev.lookout.v1.ComparedRows;
import dev.lookout.v1.ErrorDetail;
import dev.lookout.v1.ParameterResult;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryAnswer;
import dev.lookout.v1.QueryMeta;
import dev.lookout.v1.QueryParameter;
import dev.lookout.v1.QueryRequest;
import dev.lookout.v1.QueryResult;
import dev.lookout.v1.WatchResponse;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** A query type whose rows are of the type R. {@link QueryTypes} has all of them. */
public final class QueryType<R> {
  /** The limit of a query that names none. */
  private static final int PAGE_SIZE = 1_000;

  private final String name;
  private final String id;
  private final Function<Fields, R> read;

  QueryType(String name, Function<Fields, R> read) {
    this(name, null, read);
  }

  private QueryType(String name, String id, Function<Fields, R> read) {
    this.name = name;
    this.id = id;
    this.read = read;
  }

  /** The name of the type, such as {@code top_pages}. */
  public String name() {
    return name;
  }

  /** The same type under an id of its own, for a query that asks it more than once. */
  public QueryType<R> named(String id) {
    return new QueryType<>(name, id, read);
  }

  /** Asks for the type in a query. */
  public QueryParameter parameter() {
    QueryParameter.Builder parameter = QueryParameter.newBuilder().setName(name);
    if (id != null) parameter.setId(id);
    return parameter.build();
  }

  /** Asks for the type in a query, with more than its name: {@code parameter(p -> p.setLimit(5))}. */
  public QueryParameter parameter(Consumer<QueryParameter.Builder> fill) {
    return Calls.filled(parameter().toBuilder(), fill).build();
  }

  /**
   * The rows of a query of this type: one page, of as many rows as the query's limit says. A query without parameters asks this type.
   *
   * @throws LookoutException as the call and {@link #rows(QueryAnswer)}
   */
  public Rows<R> ask(Lookout lookout, String websiteId, Consumer<Query.Builder> query) {
    return ask(lookout, websiteId, ZoneOffset.UTC, query, RequestOptions.none());
  }

  /** The same with options of the call: {@link #ask(Lookout, String, Consumer)}. */
  public Rows<R> ask(Lookout lookout, String websiteId, Consumer<Query.Builder> query, RequestOptions options) {
    return ask(lookout, websiteId, ZoneOffset.UTC, query, options);
  }

  /** The same with the days and hours of a time zone instead of those of UTC: {@link #ask(Lookout, String, Consumer)}. */
  public Rows<R> ask(Lookout lookout, String websiteId, ZoneId timezone, Consumer<Query.Builder> query) {
    return ask(lookout, websiteId, timezone, query, RequestOptions.none());
  }

  /** The same with a time zone and options: {@link #ask(Lookout, String, Consumer)}. */
  public Rows<R> ask(Lookout lookout, String websiteId, ZoneId timezone, Consumer<Query.Builder> query, RequestOptions options) {
    Consumer<Query.Builder> asked =
        Calls.given(query, "query").andThen(q -> {
          if (q.getParametersCount() == 0) q.addParameters(parameter());
        });
    return rows(lookout.query(websiteId, timezone, asked, options));
  }

  /**
   * The rows of the type in an answer.
   *
   * @throws LookoutException QUERY_ERROR if the service could not answer this parameter, with the wrong field of the
   *     query in its details where one is known; NOT_ASKED if the query did not have it
   */
  public Rows<R> rows(QueryAnswer answer) {
    return rows(answer.getDataList(), answer.getMeta(), answer.getRequestId());
  }

  /**
   * The rows of the type in a message of a watch.
   *
   * @throws LookoutException as {@link #rows(QueryAnswer)}
   */
  public Rows<R> rows(WatchResponse message) {
    return rows(message.getAnswer());
  }

  /**
   * The rows of the type in one result of a batch.
   *
   * @throws LookoutException QUERY_ERROR if the service could not answer this parameter, with the wrong field of the
   *     query in its details where one is known; NOT_ASKED if the query did not have it
   */
  public Rows<R> rows(QueryResult answer) {
    return rows(answer.getDataList(), answer.getMeta(), null);
  }

  /**
   * The rows of the type in all pages of a query. Its own parameters are replaced by this type; its limit is the size of a page.
   */
  public Pages<R> all(Lookout lookout, QueryRequest request) {
    return all(lookout, request, RequestOptions.none());
  }

  /** The same with options of each call: {@link #all(Lookout, QueryRequest)}. */
  public Pages<R> all(Lookout lookout, QueryRequest request, RequestOptions options) {
    Query query = request.getQuery();
    // A summary has one row on every page, so a limit of 1 would never end.
    int limit = query.hasLimit() ? Math.max(2, query.getLimit()) : PAGE_SIZE;
    Query.Builder page = query.toBuilder().clearParameters().addParameters(parameter()).setLimit(limit);
    return new Pages<>(
        cursor -> {
          int number = cursor == null ? Math.max(1, query.getPage()) : Integer.parseInt(cursor);
          QueryRequest asked = request.toBuilder().setQuery(page.setPage(number)).build();
          List<R> rows = rows(lookout.queries().query(asked, options).getSingle());
          return new Pages.Page<>(rows, rows.size() == limit ? String.valueOf(number + 1) : "");
        });
  }

  private Rows<R> rows(List<ParameterResult> results, QueryMeta meta, String requestId) {
    String parameter = id == null ? name : id;
    for (ParameterResult result : results) {
      if (!result.getParameter().equals(parameter)) continue;
      if (!result.getSuccess())
        throw new LookoutException(
            LookoutException.QUERY_ERROR,
            parameter + ": " + result.getError(),
            detailsOf(result),
            requestId,
            null,
            null);
      ComparedRows compared = result.getComparison();
      return new Rows<>(readAll(result.getDataList()), readAll(compared.getDataList()), compared.getComplete(), meta);
    }
    String message = "The answer has no " + parameter + ". Add its parameter() to the query's parameters";
    throw failure(LookoutException.NOT_ASKED, message, requestId);
  }

  private List<R> readAll(List<Struct> rows) {
    return rows.stream().map(row -> read.apply(new Fields(row.getFieldsMap()))).toList();
  }

  /** The field of the query that is wrong for a parameter, and the nearest one, where the service says so. */
  private static List<LookoutException.Detail> detailsOf(ParameterResult result) {
    if (!result.hasDetail()) return List.of();
    ErrorDetail detail = result.getDetail();
    String suggestion = detail.hasSuggestion() ? detail.getSuggestion() : null;
    return List.of(new LookoutException.Detail(detail.getField(), detail.getMessage(), suggestion));
  }

  private static LookoutException failure(String code, String message, String requestId) {
    return new LookoutException(code, message, List.of(), requestId, null, null);
  }
}
