package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Guardrail;
import dev.parley.platform.config.GuardrailFields;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A check of texts before they are passed on: a pattern, or a tool that decides.
 *
 * @param on Texts to check: input, output or both. Defaults to both.
 * @param pattern Regular expression (RE2) for text that must not be passed on.
 * @param action Action on a match of the pattern: block or rewrite.
 * @param replacement Replacement for text that matches the pattern. Defaults to [removed].
 * @param tool Name of a tool that decides, instead of a pattern.
 * @param message Reply of a blocked turn.
 * @param onError Action if the guardrail cannot decide: block or allow. Defaults to block.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Guardrail")
public record GuardrailJson(
        @Nullable String name,
        @Nullable String on,
        @Nullable String pattern,
        @Nullable String action,
        @Nullable String replacement,
        @Nullable String tool,
        @Nullable String message,
        @Nullable String onError) {
    /** The project setting that holds guardrails. */
    public static final String SETTING = "guardrails";

    private static final JsonMapper JSON = JsonMappers.bodies();
    private static final Set<String> FIELDS =
            Set.of("name", "on", "pattern", "action", "replacement", "tool", "message", "onError");

    /**
     * Reads the guardrails of a request body.
     *
     * @throws dev.parley.platform.http.ApiException 400 naming the field that cannot be used
     */
    public static List<Guardrail> read(String field, @Nullable List<GuardrailJson> guardrails) {
        var fields = new ArrayList<@Nullable GuardrailFields>();
        for (GuardrailJson guardrail : guardrails == null ? List.<GuardrailJson>of() : guardrails) {
            String prefix = field + "[" + fields.size() + "].";
            fields.add(guardrail == null ? null : guardrail.fields(prefix));
        }
        try {
            return GuardrailFields.read(field, fields);
        } catch (GuardrailFields.Fault e) {
            throw Checks.invalid(e.field(), e.problem());
        }
    }

    private GuardrailFields fields(String prefix) {
        return new GuardrailFields(
                name,
                on,
                pattern,
                action,
                replacement == null || replacement.isEmpty()
                        ? replacement
                        : Checks.requireText(prefix + "replacement", replacement, GuardrailFields.MAX_REPLACEMENT),
                tool,
                Checks.optional(prefix + "message", message, GuardrailFields.MAX_MESSAGE),
                onError);
    }

    /**
     * Reads the guardrails of a JSON array.
     *
     * @throws dev.parley.platform.http.ApiException 400 naming the field that cannot be used
     */
    public static List<Guardrail> read(String field, JsonNode json) {
        if (!json.isArray()) {
            throw Checks.invalid(field, "must be an array of guardrails");
        }
        var guardrails = new ArrayList<GuardrailJson>();
        for (JsonNode element : json.values()) {
            guardrails.add(of(field + "[" + guardrails.size() + "]", element));
        }
        return read(field, guardrails);
    }

    private static GuardrailJson of(String path, JsonNode json) {
        if (!json.isObject()) {
            throw Checks.invalid(path, "must be a guardrail object");
        }
        json.entries().forEach(member -> {
            if (!FIELDS.contains(member.getKey())) {
                throw Checks.invalid(path + "." + member.getKey(), "is unknown");
            }
            if (!member.getValue().isString() && !member.getValue().isNull()) {
                throw Checks.invalid(path + "." + member.getKey(), "must be a string");
            }
        });
        return new GuardrailJson(
                JsonColumns.text(json, "name"),
                JsonColumns.text(json, "on"),
                JsonColumns.text(json, "pattern"),
                JsonColumns.text(json, "action"),
                JsonColumns.text(json, "replacement"),
                JsonColumns.text(json, "tool"),
                JsonColumns.text(json, "message"),
                JsonColumns.text(json, "onError"));
    }

    /** Guardrails in their JSON form. */
    public static List<GuardrailJson> of(List<Guardrail> rails) {
        return rails.stream()
                .map(GuardrailFields::of)
                .map(rail -> new GuardrailJson(
                        rail.name(),
                        rail.on(),
                        rail.pattern(),
                        rail.action(),
                        rail.replacement(),
                        rail.tool(),
                        rail.message(),
                        rail.onError()))
                .toList();
    }

    /** Guardrails as their column stores them. */
    public static JsonNode json(List<Guardrail> rails) {
        try {
            return JSON.writeValueToTree(Argument.listOf(GuardrailJson.class), of(rails));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
