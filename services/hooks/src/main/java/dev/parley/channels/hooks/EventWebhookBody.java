package dev.parley.channels.hooks;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.platform.http.ApiException;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An event webhook of a project.
 *
 * @param url Public https:// URL that receives the events.
 * @param events Event types. Defaults to all.
 * @param enabled True if events are sent. Defaults to true.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "WebhookRequest")
record EventWebhookBody(
        @Nullable String url,
        @Nullable List<@Nullable String> events,
        @Nullable String description,
        @Nullable Boolean enabled) {
    private static final int MAX_DESCRIPTION = 256;
    private static final String ALL = "*";

    /** @throws ApiException 400 */
    String checkedEvents() {
        if (events == null || events.equals(List.of(ALL))) {
            return ALL;
        }
        var selected = new TreeSet<String>();
        for (@Nullable String event : events) {
            if (event == null || !HookEvent.TYPES.contains(event)) {
                throw ApiException.badRequest(
                        "invalid_events", "The field 'events' may contain " + String.join(", ", HookEvent.TYPES));
            }
            selected.add(event);
        }
        if (selected.isEmpty()) {
            throw ApiException.badRequest("invalid_events", "The field 'events' has at least one event type");
        }
        return String.join(",", selected);
    }

    /** @throws ApiException 400 */
    String checkedDescription() {
        String text = description == null ? "" : description.strip();
        if (text.length() > MAX_DESCRIPTION || text.indexOf('\0') >= 0) {
            throw ApiException.badRequest(
                    "invalid_description", "The field 'description' has at most " + MAX_DESCRIPTION + " characters");
        }
        return text;
    }

    boolean isEnabled() {
        return !Boolean.FALSE.equals(enabled);
    }
}
