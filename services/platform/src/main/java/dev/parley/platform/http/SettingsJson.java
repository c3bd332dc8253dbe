package dev.parley.platform.http;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.StopSequences;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON representation of turn settings. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "Settings", description = "Settings of turns that override those of the agent.")
public record SettingsJson(
        @Schema(description = "Model, as provider/model; one of those that the agent offers.") @Nullable
        String model,

        @Schema(description = "Thinking level: none, low, medium or high.") @Nullable
        String thinking,

        @Schema(description = "Sampling temperature, from 0 to 2.") @Nullable
        Double temperature,

        @Schema(description = "Nucleus sampling (top-p), above 0 and at most 1.") @Nullable
        Double topP,

        @Schema(description = "Maximum number of tokens of one answer; the agent's own limit still applies.") @Nullable
        Integer maxTokens,

        @Schema(description = "Texts that end an answer; at most 4.") @Nullable
        List<String> stop,

        @Schema(description = "JSON Schema of the answer, at most 32 KiB.") @Nullable
        Map<String, Object> responseSchema,

        @Schema(
                description =
                        "Only true: an answer that does not match the responseSchema is asked for once more, then the"
                                + " turn fails.")
        @Nullable
        Boolean strictSchema,

        @Schema(description = "Verbosity of the answer: low, medium or high.") @Nullable
        String verbosity,

        @Schema(
                description = "none: the agent answers without tools. required: its first model call must call a "
                        + "tool. tool:NAME: its first model call must call this tool.")
        @Nullable
        String toolChoice,

        @Schema(description = "Only false: the agent makes one tool call at a time.") @Nullable
        Boolean parallelToolCalls,

        @Schema(description = "Only none: no memories are recalled or retained.") @Nullable
        String memory,

        @Schema(description = "Only none: approvals are not requested; calls that need one are refused.") @Nullable
        String approvals,

        @Schema(description = "Skills that are loaded when the turn begins; * loads as many as fit.") @Nullable
        List<String> skills,

        @Schema(description = "Number of tokens after which the turn makes no further model calls.") @Nullable
        Long turnTokens,

        @Schema(description = "Cost in millionths of a dollar after which the turn makes no further model calls.")
        @Nullable
        Long turnCostMicros,

        @Schema(description = "Maximum depth of delegation; 0 for none.") @Nullable
        Long delegationDepth) {
    private static final int MAX_STOPS = 4;
    private static final int MAX_NAME = 256;
    /** Maximum length of a response schema, in bytes. */
    public static final int MAX_SCHEMA = 32 << 10;

    private static final ObjectMapper JSON = JsonMappers.stored();

    /**
     * The settings.
     *
     * @throws ApiException if they are invalid
     */
    public Settings settings() {
        if (model != null && (model.indexOf('/') < 1 || model.length() > MAX_NAME)) {
            throw invalid("model is provider/model");
        }
        Map<String, String> options = options();
        try {
            return new Settings(model, level(), temperature, topP, maxTokens, options);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    /** A copy with another tool choice. */
    public SettingsJson withToolChoice(String choice) {
        return new SettingsJson(
                model,
                thinking,
                temperature,
                topP,
                maxTokens,
                stop,
                responseSchema,
                strictSchema,
                verbosity,
                choice,
                parallelToolCalls,
                memory,
                approvals,
                skills,
                turnTokens,
                turnCostMicros,
                delegationDepth);
    }

    private Map<String, String> options() {
        var options = new HashMap<String, String>();
        put(options, "stop", stop == null ? null : stops(stop));
        put(options, "responseSchema", responseSchema == null ? null : schema(responseSchema));
        put(options, Settings.STRICT_SCHEMA, strictSchema);
        if (verbosity != null && !List.of("low", "medium", "high").contains(verbosity)) {
            throw invalid("verbosity is low, medium or high");
        }
        put(options, "verbosity", verbosity);
        put(options, Agent.TOOL_CHOICE, toolChoice);
        put(options, Settings.PARALLEL_CALLS, parallelToolCalls);
        put(options, Agent.MEMORY, memory);
        put(options, Settings.APPROVALS, approvals);
        put(options, Settings.SKILLS, skills == null ? null : names(skills));
        put(options, Settings.TURN_TOKENS, turnTokens);
        put(options, Settings.TURN_COST, turnCostMicros);
        put(options, Settings.DELEGATION_DEPTH, delegationDepth);
        return options;
    }

    private static String stops(List<String> stop) {
        boolean valid = stop.stream().noneMatch(text -> text == null || text.isEmpty() || text.length() > MAX_NAME);
        if (!valid || stop.isEmpty() || stop.size() > MAX_STOPS) {
            throw invalid("stop is 1 to 4 texts of 1 to 256 characters");
        }
        return StopSequences.write(stop);
    }

    private static String names(List<String> skills) {
        if (skills.stream().anyMatch(name -> name == null || name.contains(","))) {
            throw invalid("skills is a list of names without commas");
        }
        return String.join(",", skills);
    }

    private static void put(Map<String, String> options, String name, @Nullable Object value) {
        if (value != null) {
            options.put(name, value.toString());
        }
    }

    private @Nullable ThinkingLevel level() {
        if (thinking == null) {
            return null;
        }
        return Arrays.stream(ThinkingLevel.values())
                .filter(level -> level.name().toLowerCase(Locale.ROOT).equals(thinking))
                .findFirst()
                .orElseThrow(() -> invalid("thinking is none, low, medium or high"));
    }

    private static String schema(Map<String, Object> schema) {
        try {
            String text = JSON.writeValueAsString(schema);
            if (text.getBytes(StandardCharsets.UTF_8).length > MAX_SCHEMA) {
                throw invalid("a responseSchema has at most 32 KiB");
            }
            return text;
        } catch (JsonProcessingException e) {
            throw invalid("responseSchema is a JSON Schema");
        }
    }

    private static ApiException invalid(String problem) {
        return ApiException.badRequest("invalid_settings", "In 'settings': " + problem);
    }
}
