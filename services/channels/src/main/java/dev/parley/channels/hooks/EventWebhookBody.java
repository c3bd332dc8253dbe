package dev.parley.channels.hooks;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.platform.http.ApiException;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A webhook as people of a project want it. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "WebhookRequest", description = "Where a project wants its events sent to.")
record EventWebhookBody(
        @Schema(description = "https://… of the open internet.") @Nullable
        String url,

        @Schema(description = "Which events; without it all.") @Nullable
        List<@Nullable String> events,

        @Nullable String description,

        @Schema(description = "Whether anything is sent; true unless it says otherwise.") @Nullable
        Boolean enabled) {
    private static final int LONGEST = 256;
    private static final String ALL = "*";

    /** @throws ApiException 400 */
    String checkedEvents() {
        if (events == null || events.equals(List.of(ALL))) {
            return ALL;
        }
        var wanted = new TreeSet<String>();
        for (@Nullable String one : events) {
            if (one == null || !HookEvent.TYPES.contains(one)) {
                throw ApiException.badRequest(
                        "invalid_events", "The field 'events' has some of " + String.join(", ", HookEvent.TYPES));
            }
            wanted.add(one);
        }
        if (wanted.isEmpty()) {
            throw ApiException.badRequest("invalid_events", "The field 'events' has at least one");
        }
        return String.join(",", wanted);
    }

    /** @throws ApiException 400 */
    String checkedDescription() {
        String text = description == null ? "" : description.strip();
        if (text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw ApiException.badRequest(
                    "invalid_description", "The field 'description' has at most " + LONGEST + " characters");
        }
        return text;
    }

    boolean isEnabled() {
        return !Boolean.FALSE.equals(enabled);
    }
}
