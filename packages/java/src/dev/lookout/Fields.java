package dev.lookout;

import com.google.protobuf.Value;
import java.time.Instant;
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

  Boolean isTrueOrNull(String name) {
    Value value = value(name);
    return value.hasBoolValue() ? (Boolean) value.getBoolValue() : null;
  }

  Map<String, Object> object(String name) {
    Value value = value(name);
    return value.hasStructValue() ? Json.plain(value.getStructValue()) : null;
  }

  List<Object> array(String name) {
    Value value = value(name);
    return value.hasListValue() ? Json.plain(value.getListValue()) : null;
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
}
