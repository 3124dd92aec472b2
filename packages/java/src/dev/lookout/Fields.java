package dev.lookout;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of a row by name. A field that an older service does not send is empty. */
final class Fields {
  private final Map<String, Value> values;

  Fields(Map<String, Value> values) {
    this.values = values;
  }

  String text(String name) {
    return value(name).getStringValue();
  }

  String textOrNull(String name) {
    Value value = value(name);
    return value.hasStringValue() ? value.getStringValue() : null;
  }

  Instant time(String name) {
    return Instant.parse(text(name));
  }

  /** Times are text on the wire: ISO 8601 in UTC. */
  Instant timeOrNull(String name) {
    return value(name).hasStringValue() ? time(name) : null;
  }

  /** Doubles hold whole numbers to 2^53 exactly. */
  long count(String name) {
    return (long) value(name).getNumberValue();
  }

  Long countOrNull(String name) {
    return value(name).hasNumberValue() ? (Long) count(name) : null;
  }

  double number(String name) {
    return value(name).getNumberValue();
  }

  Double numberOrNull(String name) {
    Value value = value(name);
    return value.hasNumberValue() ? (Double) value.getNumberValue() : null;
  }

  boolean isTrue(String name) {
    return value(name).getBoolValue();
  }

  Map<String, Object> object(String name) {
    Value value = value(name);
    return value.hasStructValue() ? plain(value.getStructValue()) : null;
  }

  List<Object> array(String name) {
    Value value = value(name);
    return value.hasListValue() ? plain(value.getListValue()) : null;
  }

  List<Revenue> revenue(String name) {
    Value value = value(name);
    if (!value.hasListValue()) return null;
    return value.getListValue().getValuesList().stream().map(each -> {
      Fields fields = new Fields(each.getStructValue().getFieldsMap());
      return new Revenue(fields.text("currency"), fields.number("amount"), fields.count("completions"));
    }).toList();
  }

  private Value value(String name) {
    return values.getOrDefault(name, Value.getDefaultInstance());
  }

  private static Map<String, Object> plain(Struct struct) {
    Map<String, Object> members = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((name, value) -> members.put(name, plain(value)));
    return members;
  }

  private static List<Object> plain(ListValue list) {
    List<Object> items = new ArrayList<>(list.getValuesCount());
    for (Value value : list.getValuesList()) items.add(plain(value));
    return items;
  }

  private static Object plain(Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE -> value.getStringValue();
      case NUMBER_VALUE -> value.getNumberValue();
      case BOOL_VALUE -> value.getBoolValue();
      case STRUCT_VALUE -> plain(value.getStructValue());
      case LIST_VALUE -> plain(value.getListValue());
      default -> null;
    };
  }
}
