package dev.lookout;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The objects of all pages of a list. Each page is asked for when it is needed; a loop throws a {@link LookoutException} when that
 * fails. Each loop begins with the first page.
 */
public final class Pages<T> implements Iterable<T> {
  /** A page, and where the next one begins: empty after the last one. */
  record Page<T>(List<T> items, String nextCursor) {}

  private final Function<String, Page<T>> ask;

  /** Asks for the page that a cursor begins; the first one with null. */
  Pages(Function<String, Page<T>> ask) {
    this.ask = ask;
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private Page<T> page;
      private Iterator<T> items = List.<T>of().iterator();

      @Override
      public boolean hasNext() {
        while (!items.hasNext()) {
          if (page != null && page.nextCursor().isEmpty()) return false;
          page = ask.apply(page == null ? null : page.nextCursor());
          items = page.items().iterator();
        }
        return true;
      }

      @Override
      public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        return items.next();
      }
    };
  }

  /** The objects as a stream of Java. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false);
  }
}
