package dev.parley.platform.http;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A page of a list. */
@Serdeable
@Schema(name = "Page", description = "A page of a list.")
public record Page<T>(
        @Schema(description = "Rows of the page.") List<T> data,

        @Schema(description = "Cursor of the next page; null on the last page.") @Nullable
        String next) {

    /** Maximum size of a page in bytes. */
    public static final long MOST_BYTES = 4 << 20;

    /** The first rows whose total size fits in a page, at least one. */
    public static <R> List<R> fitting(List<R> rows, ToLongFunction<R> bytes) {
        long sum = 0;
        for (int i = 0; i < rows.size(); i++) {
            sum += bytes.applyAsLong(rows.get(i));
            if (sum > MOST_BYTES && i > 0) {
                return rows.subList(0, i);
            }
        }
        return rows;
    }

    /** This page with another form of its rows. */
    public <R> Page<R> map(Function<T, R> form) {
        return new Page<>(data.stream().map(form).toList(), next);
    }

    /** The page of rows that were queried with a limit of one more, to know whether more follow. */
    public static <R, T> Page<T> of(List<R> rows, int limit, Function<R, T> json, Function<R, String> cursor) {
        boolean hasMore = rows.size() > limit;
        List<R> page = hasMore ? rows.subList(0, limit) : rows;
        return new Page<>(page.stream().map(json).toList(), hasMore ? cursor.apply(page.getLast()) : null);
    }
}
