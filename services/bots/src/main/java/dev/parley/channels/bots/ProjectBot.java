package dev.parley.channels.bots;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.BotKind;
import dev.parley.domain.document.FaultException;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotDocuments;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.document.Stored;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.project_bot_t}: a bot that a project created.
 *
 * @param settings of its document, and the names of its secrets, as JSON
 * @param sealed its secrets; empty once it was removed
 * @param masterKeyId the master key that sealed them
 * @param last4 the last four characters of the token
 */
@MappedEntity(value = "project_bot_t", schema = "channels")
@SuppressWarnings("ArrayRecordComponent") // rows are not compared
record ProjectBot(
        UUID hostId,
        @Id UUID botId,
        String bot,
        UUID projectId,
        String projectKey,
        String kind,
        String settings,
        byte[] sealed,
        long masterKeyId,
        String last4,
        @MappedProperty("aggregate_version") long version,
        boolean active,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy) {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final String SECRETS = "secrets";

    /** What the column has of a bot. */
    static String settings(BotConfig bot) {
        Map<String, @Nullable Object> settings = BotDocuments.settings(bot);
        settings.put(SECRETS, bot.secrets().keySet().stream().sorted().toList());
        try {
            return JSON.writeValueAsString(settings);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The bot, or why this build refuses it. */
    Stored<BotConfig> stored() {
        return Stored.ofJson(settings, document -> {
            if (!(document instanceof Map<?, ?> stored)) {
                throw new FaultException("", "must be an object");
            }
            BotKind known = BotKinds.find(kind).orElseThrow(() -> new FaultException("kind", "is unknown here"));
            return BotDocuments.read(bot, known, projectKey, BotRegistry.reference(this), secrets(stored), stored);
        });
    }

    /** References to its secrets by name, also where this build refuses its other settings. */
    Map<String, String> secrets() {
        return Stored.<Map<String, String>>ofJson(
                        settings, document -> document instanceof Map<?, ?> stored ? secrets(stored) : Map.of())
                .valid()
                .orElse(Map.of());
    }

    private Map<String, String> secrets(Map<?, ?> stored) {
        var secrets = new HashMap<String, String>();
        if (stored.get(SECRETS) instanceof List<?> names) { // null in rows of older releases
            names.forEach(name -> secrets.put(String.valueOf(name), BotRegistry.reference(this, String.valueOf(name))));
        }
        return secrets;
    }

    @Override
    public String toString() {
        return "ProjectBot[" + bot + ", version " + version + "]";
    }
}
