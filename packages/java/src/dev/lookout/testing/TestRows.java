package dev.lookout.testing;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.lookout.Json;
import dev.lookout.LookoutException;
import dev.lookout.v1.ParameterResult;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryAnswer;
import dev.lookout.v1.QueryMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The rows of a test, and the answers that they are. */
final class TestRows {
  private static final int USUAL_LIMIT = 100;

  private final Map<String, List<Struct>> rows = new ConcurrentHashMap<>();

  /** @throws IllegalArgumentException for a row that the service would not answer */
  void put(String type, List<? extends Map<String, ?>> given) {
    rows.put(type, given.stream().map(row -> whole(type, row)).toList());
  }

  /** The page of a query, whatever its range and its filters. */
  QueryAnswer answer(Query query) {
    int limit = query.hasLimit() ? query.getLimit() : USUAL_LIMIT;
    int page = Math.max(1, query.getPage());
    var answer = QueryAnswer.newBuilder().setSuccess(true).setRequestId("req_test").setQueryId("test");
    answer.setMeta(QueryMeta.newBuilder().setPage(page).setLimit(limit).setConsistent(true));
    for (var parameter : query.getParametersList()) {
      int size = parameter.hasLimit() ? parameter.getLimit() : limit;
      String name = parameter.getName();
      var data = rowsOf(name).stream().skip((long) (page - 1) * size).limit(size).toList();
      var result = ParameterResult.newBuilder().setParameter(parameter.getId().isEmpty() ? name : parameter.getId());
      answer.addData(result.setSuccess(true).addAllData(data));
    }
    return answer.build();
  }

  private List<Struct> rowsOf(String name) {
    List<Struct> given = rows.get(name);
    if (given != null) return given;
    var types = Contract.rows().keySet();
    if (types.contains(name))
      throw LookoutException.of(
          LookoutException.NOT_IMPLEMENTED,
          "The test has no rows of %s: call rows(QueryTypes.%s, …) of TestLookout".formatted(name, name.toUpperCase()));
    var detail = new LookoutException.Detail("parameters", "names an unknown query type", NearestName.of(name, types));
    throw LookoutException.of(LookoutException.VALIDATION_ERROR, "There is no query type " + name, detail);
  }

  /** A row with null for the columns that it leaves out. */
  private static Struct whole(String type, Map<String, ?> row) {
    Map<String, String> kinds = Contract.rows().get(type);
    for (String column : row.keySet())
      if (!kinds.containsKey(column)) throw wrong(type, "it has no column " + column + NearestName.hint(column, kinds.keySet()));
    Map<String, Object> whole = new LinkedHashMap<>();
    kinds.forEach(
        (column, kind) -> {
          boolean isOfGoal = kind.endsWith("*");
          Object value = row.get(column);
          if (value == null && isOfGoal && !row.containsKey(column)) return;
          if (value == null && !isOfGoal && !kind.endsWith("?")) throw wrong(type, column + " is missing, and never null");
          Value json = Json.value(value);
          if (value != null && !isOfKind(json, kind.replaceAll("[?*]$", "")))
            throw wrong(type, column + " must be of the kind " + kind.replaceAll("[?*]$", "") + ", not " + value);
          whole.put(column, json);
        });
    return Json.object(whole);
  }

  private static boolean isOfKind(Value value, String kind) {
    return switch (kind) {
      case "string" -> value.hasStringValue();
      case "integer" -> Json.plain(value) instanceof Long;
      case "number" -> value.hasNumberValue();
      case "boolean" -> value.hasBoolValue();
      case "array" -> value.hasListValue();
      case "object" -> value.hasStructValue();
      default -> false;
    };
  }

  private static IllegalArgumentException wrong(String type, String problem) {
    return new IllegalArgumentException("The test's row of " + type + " is not one of Lookout: " + problem);
  }
}
