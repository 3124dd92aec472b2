package dev.lookout;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.lookout.v1.QueryFilter;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON of plain values: null, booleans, numbers, text, maps, lists and arrays. Anything else, such as a time or a UUID, becomes the text of its
 * {@code toString}. An {@link Optional} is its value, or null.
 */
public final class Json {
  private static final int MOST_DEPTH = 100;
  private static final double PAST_LONG = 0x1p63;

  private Json() {}

  /**
   * An object, such as the properties of an event.
   *
   * @throws IllegalArgumentException as {@link #value}
   */
  public static Struct object(Map<String, ?> values) {
    return struct(Calls.given(values, "JSON"), "", 0);
  }

  /**
   * Any value. JSON's numbers have 64 bits: those with a fraction are rounded to them.
   *
   * @throws IllegalArgumentException if it has something that JSON does not have, with its name: NaN, an infinite number, a whole number that
   *     would be rounded, a name that is null, or a value that is more than 100 deep, as one is that holds itself
   */
  public static Value value(Object value) {
    return value(value, "", 0);
  }

  /** An object as a map, in the order that it has: null, Boolean, Long or Double, String, Map and List. Whole numbers are Long. */
  public static Map<String, Object> plain(Struct object) {
    Map<String, Object> members = new LinkedHashMap<>();
    object.getFieldsMap().forEach((name, value) -> members.put(name, plain(value)));
    return members;
  }

  /** A value as {@link #plain(Struct)} has them; null for null. */
  public static Object plain(Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE -> value.getStringValue();
      case NUMBER_VALUE -> number(value.getNumberValue());
      case BOOL_VALUE -> value.getBoolValue();
      case STRUCT_VALUE -> plain(value.getStructValue());
      case LIST_VALUE -> plain(value.getListValue());
      default -> null;
    };
  }

  static List<Object> plain(ListValue list) {
    List<Object> items = new ArrayList<>(list.getValuesCount());
    for (Value value : list.getValuesList()) items.add(plain(value));
    return items;
  }

  /** A filter of a query. Operators are those of {@link dev.lookout.values.FilterOperator}. */
  public static QueryFilter filter(String field, String op, Object... values) {
    Calls.given(field, "field of a filter");
    Calls.given(op, "op of a filter");
    QueryFilter.Builder filter = QueryFilter.newBuilder().setField(field).setOp(op);
    boolean takesList = op.equals("in") || op.equals("not_in") || values.length > 1;
    // A list is the list itself.
    if (values.length == 1 && (!takesList || values[0] instanceof Iterable<?>)) return filter.setValue(value(values[0])).build();
    return takesList ? filter.setValue(value(List.of(values))).build() : filter.build();
  }

  // Not a conditional expression, which would make a double of a long.
  private static Number number(double number) {
    if (number == Math.rint(number) && Math.abs(number) < PAST_LONG) return (long) number;
    return number;
  }

  private static Value value(Object value, String path, int depth) {
    if (value instanceof Value made) return made;
    Value.Builder built = Value.newBuilder();
    if (value == null) built.setNullValue(NullValue.NULL_VALUE);
    else if (value instanceof Optional<?> optional) return value(optional.orElse(null), path, depth);
    else if (value instanceof Boolean is) built.setBoolValue(is);
    else if (value instanceof Number number) built.setNumberValue(JsonNumbers.checked(number, path));
    else if (value instanceof Struct made) built.setStructValue(made);
    else if (value instanceof Map<?, ?> map) built.setStructValue(struct(map, path, depth));
    else if (value instanceof Iterable<?> list) {
      ListValue.Builder values = ListValue.newBuilder();
      for (Object each : list) values.addValues(value(each, path + "[" + values.getValuesCount() + "]", deeper(depth, path)));
      built.setListValue(values);
    } else if (value.getClass().isArray()) {
      List<Object> items = new ArrayList<>();
      for (int index = 0; index < Array.getLength(value); index++) items.add(Array.get(value, index));
      return value(items, path, depth);
    } else built.setStringValue(value.toString());
    return built.build();
  }

  private static Struct struct(Map<?, ?> map, String path, int depth) {
    Struct.Builder object = Struct.newBuilder();
    map.forEach(
        (name, each) -> {
          if (name == null) throw new IllegalArgumentException((path.isEmpty() ? "JSON" : path) + " has a name that is null");
          String place = path.isEmpty() ? name.toString() : path + "." + name;
          object.putFields(name.toString(), value(each, place, deeper(depth, path)));
        });
    return object.build();
  }

  private static int deeper(int depth, String path) {
    if (depth < MOST_DEPTH) return depth + 1;
    String name = path.split("[.\\[]", 2)[0];
    throw new IllegalArgumentException((name.isEmpty() ? "JSON" : name) + " is more than " + MOST_DEPTH + " deep: perhaps it holds itself");
  }
}
