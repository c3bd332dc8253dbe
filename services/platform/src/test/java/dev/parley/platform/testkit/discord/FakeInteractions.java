package dev.parley.platform.testkit.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.discord.FakeDiscord.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Responses to interactions, with Discord's rules: the first within three seconds, and only one; a form only in answer
 * to a press; more of them by a token that is known after the first.
 */
final class FakeInteractions {
    private static final Pattern CALLBACK = Pattern.compile("POST /interactions/(\\d+)/([\\w-]+)/callback");
    private static final Pattern WEBHOOK = Pattern.compile("(\\w+) /webhooks/\\d+/([\\w-]+)(/messages/@original)?");
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int EPHEMERAL = 64;

    private final Map<String, Open> open = new HashMap<>();
    private final List<String> notices = new ArrayList<>();
    private final List<JsonNode> modals = new ArrayList<>();

    private static final class Open {
        private final String id;
        private final int type;
        private final long since = System.nanoTime();
        private int response;

        Open(String id, int type) {
            this.id = id;
            this.type = type;
        }
    }

    void begin(JsonNode interaction) {
        open.put(
                interaction.path("token").asText(),
                new Open(
                        interaction.path("id").asText(),
                        interaction.path("type").asInt()));
    }

    /** What was shown to the person of an interaction alone. */
    List<String> notices() {
        return List.copyOf(notices);
    }

    List<JsonNode> modals() {
        return List.copyOf(modals);
    }

    /** The number of interactions without a response. */
    long unanswered() {
        return open.values().stream().filter(one -> one.response == 0).count();
    }

    /** Answers a call; null for one of another kind. */
    @Nullable
    JsonNode answer(String endpoint, JsonNode body) {
        Matcher callback = CALLBACK.matcher(endpoint);
        if (callback.matches()) {
            respond(open.get(callback.group(2)), callback.group(1), body);
            return FakeDiscord.JSON.missingNode();
        }
        Matcher webhook = WEBHOOK.matcher(endpoint);
        if (!webhook.matches()) {
            return null;
        }
        Open known = open.get(webhook.group(2));
        if (known == null || known.response == 0) {
            throw new Refused(404, 10015, "Unknown Webhook");
        }
        return more(webhook.group(1), webhook.group(3) != null, body);
    }

    private void respond(@Nullable Open interaction, String id, JsonNode body) {
        boolean isLate = interaction != null && System.nanoTime() - interaction.since > PATIENCE.toNanos();
        if (interaction == null || !interaction.id.equals(id) || isLate && interaction.response == 0) {
            throw new Refused(404, 10062, "Unknown interaction");
        }
        if (interaction.response != 0) {
            throw new Refused(400, 40060, "Interaction has already been acknowledged.");
        }
        int type = body.path("type").asInt();
        int flags = body.path("data").path("flags").asInt();
        boolean isAllowed = switch (type) {
            case 4 -> !body.path("data").path("content").asText("").isEmpty();
            case 5 -> (flags & ~EPHEMERAL) == 0;
            case 6 -> interaction.type != 2;
            case 9 -> interaction.type != 5;
            default -> false;
        };
        if (!isAllowed) {
            throw new Refused(400, 50035, "Invalid Form Body");
        }
        if (type == 9) {
            FakeComponents.checkModal(body.path("data"));
            modals.add(body.path("data"));
        }
        if (type == 4 && (flags & EPHEMERAL) != 0) {
            notices.add(body.path("data").path("content").asText());
        }
        interaction.response = type;
    }

    private JsonNode more(String method, boolean isOriginal, JsonNode body) {
        boolean isNew =
                method.equals("POST") && !isOriginal && (body.path("flags").asInt() & EPHEMERAL) != 0;
        boolean isEdit = method.equals("PATCH") && isOriginal;
        if (isNew || isEdit) {
            notices.add(body.path("content").asText());
            return body;
        }
        if (method.equals("DELETE") && isOriginal) {
            return FakeDiscord.JSON.missingNode();
        }
        throw new Refused(405, 0, "405: Method Not Allowed");
    }
}
