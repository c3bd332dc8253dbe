package dev.parley.channels.bots;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.domain.document.Fault;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotDocuments;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.document.InvalidDocumentException;
import dev.parley.platform.http.ApiException;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bot of a project, as a request has it. */
@Serdeable
@Schema(name = "BotRequest") // DocumentSchemas has its fields
record BotRequest(@Schema(hidden = true) JsonNode document) {
    private static final String NAME = "name";
    private static final String KIND = "kind";
    private static final String TOKEN = "token";
    private static final String SECRETS = "secrets";
    private static final List<String> FIELDS = BotDocuments.fields().stream()
            .filter(field -> !BotDocuments.OF_OPERATOR.contains(field))
            .toList();

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    BotRequest {}

    /** Omits secrets. */
    @Override
    public String toString() {
        return "BotRequest";
    }

    /**
     * What is requested.
     *
     * @param bot with references instead of secrets; whether its agent exists, and where its URL leads, is not checked
     * @param secrets null where they stay unchanged
     */
    record Draft(BotConfig bot, @Nullable BotSecrets secrets) {}

    /**
     * The requested bot.
     *
     * @param before the bot that it changes, or null for a new one
     * @throws ApiException 400 naming the invalid fields; it does not contain the secrets
     */
    Draft read(@Nullable ProjectBot before) {
        var faults = new ArrayList<Fault>();
        Map<String, @Nullable Object> fields = fields(faults);
        if (before != null) {
            keep(fields, NAME, before.bot(), ": session keys begin with it");
            keep(fields, KIND, before.kind(), "");
        }
        BotKind kind = BotKinds.find(String.valueOf(fields.get(KIND)))
                .orElseThrow(() -> refusal(List.of(new Fault(KIND, "is " + BotKinds.names()))));
        Map<String, @Nullable Object> others =
                fields.get(SECRETS) instanceof Map<?, ?> named ? present(named) : Map.of();
        Object token = fields.get(TOKEN);
        boolean isUnchanged = before != null && token == null && others.isEmpty();
        if (!isUnchanged) {
            checkSecrets(kind, token, others, faults);
        }
        fields.put(TOKEN, BotConfig.SEALED);
        if (fields.get(SECRETS) == null || fields.get(SECRETS) instanceof Map) {
            Map<String, String> kept = before != null && isUnchanged ? before.secrets() : Map.of();
            fields.put(SECRETS, isUnchanged ? kept : references(others.keySet()));
        }
        try {
            BotConfig bot = BotDocuments.read(fields, kind, faults);
            return new Draft(bot, isUnchanged ? null : secrets(token, others));
        } catch (InvalidDocumentException e) {
            throw refusal(e.faults());
        }
    }

    private Map<String, @Nullable Object> fields(List<Fault> faults) {
        if (!(document.getValue() instanceof Map<?, ?> members)) {
            throw refusal(List.of(new Fault("", "must be an object")));
        }
        Map<String, @Nullable Object> fields = present(members);
        fields.keySet().stream()
                .filter(field -> !FIELDS.contains(field))
                .map(field -> Fault.unknown(field, FIELDS))
                .forEach(faults::add);
        fields.keySet().retainAll(FIELDS);
        return fields;
    }

    private static Map<String, @Nullable Object> present(Map<?, ?> members) {
        var present = new LinkedHashMap<String, @Nullable Object>();
        members.forEach((name, value) -> present.put(String.valueOf(name), value));
        present.values().removeIf(value -> value == null);
        return present;
    }

    private static void keep(Map<String, @Nullable Object> fields, String field, String value, String reason) {
        Object other = fields.put(field, value);
        if (other != null && !other.equals(value)) {
            throw ApiException.badRequest(
                    "invalid_" + field, "The %s of a bot cannot be changed%s".formatted(field, reason));
        }
    }

    private static void checkSecrets(
            BotKind kind, @Nullable Object token, Map<String, @Nullable Object> others, List<Fault> faults) {
        if (token != null) {
            check(TOKEN, token, kind.token(), faults);
        } else {
            boolean isAlone = others.isEmpty();
            faults.add(new Fault(
                    TOKEN, isAlone ? Fault.MISSING : "is required with the other secrets: they are replaced together"));
        }
        others.forEach((name, secret) -> {
            Form form = kind.secrets().get(name);
            if (form != null && secret != null) {
                check(SECRETS + "." + name, secret, form, faults);
            }
        });
    }

    private static void check(String field, Object secret, Form form, List<Fault> faults) {
        if (!(secret instanceof String text) || !form.fits(text)) {
            faults.add(new Fault(field, form.words()));
        }
    }

    private static Map<String, String> references(Collection<String> names) {
        var references = new TreeMap<String, String>();
        names.forEach(name -> references.put(name, BotConfig.SEALED));
        return references;
    }

    private static BotSecrets secrets(@Nullable Object token, Map<String, @Nullable Object> others) {
        var texts = new TreeMap<String, String>();
        others.forEach((name, secret) -> texts.put(name, String.valueOf(secret)));
        return new BotSecrets(String.valueOf(token), texts);
    }

    /** The error of invalid fields, with a code of the first one. */
    private static ApiException refusal(List<Fault> faults) {
        Fault first = faults.getFirst();
        String code = first.code().equals("unknown_field")
                ? first.code()
                : "invalid_" + first.field().replaceFirst("[.\\[].*", "");
        return ApiException.invalid(code, faults);
    }
}
