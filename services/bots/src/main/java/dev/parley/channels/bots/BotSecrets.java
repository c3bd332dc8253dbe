package dev.parley.channels.bots;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.BotKind;
import dev.parley.platform.json.JsonMappers;
import java.util.HashMap;
import java.util.Map;

/** The secrets of a project bot as one text to seal: its token, or a JSON object where its kind has more secrets. */
record BotSecrets(String token, Map<String, String> others) {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final String TOKEN = "token";

    BotSecrets {
        others = Map.copyOf(others);
    }

    /**
     * One of the secrets.
     *
     * @param name empty for the token
     * @throws IllegalArgumentException where it is missing
     */
    static String readSecret(BotKind kind, String text, String name) {
        BotSecrets secrets = read(kind, text);
        String found = name.isEmpty() ? secrets.token() : secrets.others().get(name);
        if (found == null) {
            throw new IllegalArgumentException("no secret " + name);
        }
        return found;
    }

    private static BotSecrets read(BotKind kind, String text) {
        if (kind.secrets().isEmpty()) {
            return new BotSecrets(text, Map.of());
        }
        try {
            Map<String, String> secrets = JSON.readValue(text, new TypeReference<HashMap<String, String>>() {});
            String token = secrets.remove(TOKEN);
            return new BotSecrets(token == null ? "" : token, secrets);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("unreadable secrets"); // the message of the cause would contain them
        }
    }

    String text(BotKind kind) {
        if (kind.secrets().isEmpty()) {
            return token;
        }
        var secrets = new HashMap<>(others);
        secrets.put(TOKEN, token);
        try {
            return JSON.writeValueAsString(secrets);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("secrets could not be serialised");
        }
    }

    /** Omits secrets. */
    @Override
    public String toString() {
        return "BotSecrets" + others.keySet();
    }
}
