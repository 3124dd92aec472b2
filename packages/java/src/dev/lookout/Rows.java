package dev.lookout;

import dev.lookout.v1.AnswerHint;
import dev.lookout.v1.QueryMeta;
import java.util.AbstractList;
import java.util.List;

/** The rows of a query type, with what the service says about the answer. It does not change. */
public final class Rows<R> extends AbstractList<R> {
  private final List<R> rows;
  private final List<R> comparison;
  private final boolean isComparable;
  private final QueryMeta meta;

  Rows(List<R> rows, List<R> comparison, boolean isComparable, QueryMeta meta) {
    this.rows = rows;
    this.comparison = comparison;
    this.isComparable = isComparable;
    this.meta = meta;
  }

  @Override
  public R get(int index) {
    return rows.get(index);
  }

  @Override
  public int size() {
    return rows.size();
  }

  /** About the whole query: its hints, times whose events are unknown, and how ranges past the retention are answered. */
  public QueryMeta meta() {
    return meta;
  }

  /** What to know about the whole query, such as a name that no event has, with what was probably meant. */
  public List<AnswerHint> hints() {
    return meta.getHintsList();
  }

  /** The rows of the other period, one for each row. Empty without a comparison in the query. */
  public List<R> comparison() {
    return comparison;
  }

  /** False without a comparison, and when 1 % or more of either range is unknown, so that totals must not be compared. */
  public boolean isComparable() {
    return isComparable;
  }
}
