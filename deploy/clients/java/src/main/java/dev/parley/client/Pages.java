package dev.parley.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The things of a list, whose pages are asked for one after the other, when they are needed. */
final class Pages<T> implements Iterator<T> {
    private final Function<String, JsonNode> page;
    private final Function<JsonNode, T> thing;
    private final Deque<T> read = new ArrayDeque<>();
    private @Nullable String next = "";

    /**
     * @param page a page by the parameters of its query
     * @param thing what stands in its {@code data}
     */
    Pages(Function<String, JsonNode> page, Function<JsonNode, T> thing) {
        this.page = page;
        this.thing = thing;
    }

    @Override
    public boolean hasNext() {
        while (read.isEmpty() && next != null) {
            JsonNode answer = page.apply(next);
            answer.path("data").forEach(one -> read.add(thing.apply(one)));
            JsonNode cursor = answer.path("next");
            next = cursor.isTextual() ? "&cursor=" + Requests.part(cursor.asText()) : null;
        }
        return !read.isEmpty();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return read.remove();
    }
}
