package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.ErrorJson;
import org.jspecify.annotations.Nullable;

/** Errors as turns and messages show them. */
final class TurnRowJson {
    private TurnRowJson() {}

    static @Nullable ErrorJson error(@Nullable String type, @Nullable String message) {
        return type == null ? null : new ErrorJson(type, message == null ? type : message);
    }
}
