package dev.parley.platform.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A page of a list. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Page", description = "A page of a list.")
public record Page<T>(
        @Schema(description = "The rows.") List<T> data,

        @Schema(description = "The cursor of the next page; null where there is none.") @Nullable
        String next) {

    /** The page of rows that were read with one more than the limit, so that it is known whether more follow. */
    public static <R, T> Page<T> of(List<R> rows, int limit, Function<R, T> json, Function<R, String> cursor) {
        boolean more = rows.size() > limit;
        List<R> shown = more ? rows.subList(0, limit) : rows;
        return new Page<>(shown.stream().map(json).toList(), more ? cursor.apply(shown.getLast()) : null);
    }
}
