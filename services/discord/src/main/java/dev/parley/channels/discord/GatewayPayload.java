package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.discord.GatewayMachine.Input;
import dev.parley.channels.discord.GatewayMachine.Session;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A payload of the gateway.
 *
 * @param number of an event in its session; 0 where it has none
 * @param type of an event, or empty
 * @see <a href="https://docs.discord.com/developers/events/gateway-events#payload-structure">its structure</a>
 */
record GatewayPayload(int op, long number, String type, JsonNode data) {
    private static final int DISPATCH = 0;
    private static final int HEARTBEAT = 1;
    private static final int IDENTIFY = 2;
    private static final int RESUME = 6;

    /** @throws IllegalArgumentException for malformed JSON */
    static GatewayPayload read(String text) {
        JsonNode json = DiscordApi.read(text);
        return new GatewayPayload(
                json.path("op").asInt(-1),
                json.path("s").asLong(),
                json.path("t").asText(""),
                json.path("d"));
    }

    /** Whether the payload is an event. */
    boolean isEvent() {
        return op == DISPATCH;
    }

    /** The input for the connection; empty where it does not concern it. */
    Optional<Input> input() {
        return Optional.ofNullable(
                switch (op) {
                    case DISPATCH ->
                        switch (type) {
                            case "READY" ->
                                new Input.Ready(new Session(
                                        data.path("session_id").asText(),
                                        data.path("resume_gateway_url").asText()));
                            case "RESUMED" -> new Input.Resumed();
                            default -> null;
                        };
                    case HEARTBEAT -> new Input.HeartbeatRequested();
                    case 7 -> new Input.Reconnect();
                    case 9 -> new Input.Invalid(data.asBoolean());
                    case 10 -> new Input.Hello(data.path("heartbeat_interval").asLong(41_250));
                    case 11 -> new Input.HeartbeatAcknowledged();
                    default -> null;
                });
    }

    private static ObjectNode of(int op) {
        return DiscordApi.json().put("op", op);
    }

    static String heartbeat(OptionalLong safe) {
        ObjectNode beat = of(HEARTBEAT);
        return (safe.isPresent() ? beat.put("d", safe.getAsLong()) : beat.putNull("d")).toString();
    }

    static String identify(String token, int intents) {
        ObjectNode identify = of(IDENTIFY);
        ObjectNode data = identify.putObject("d").put("token", token).put("intents", intents);
        data.putObject("properties").put("os", "linux").put("browser", "parley").put("device", "parley");
        return identify.toString();
    }

    static String resume(String token, Session session, OptionalLong safe) {
        ObjectNode resume = of(RESUME);
        resume.putObject("d")
                .put("token", token)
                .put("session_id", session.id())
                .put("seq", safe.orElse(0));
        return resume.toString();
    }
}
