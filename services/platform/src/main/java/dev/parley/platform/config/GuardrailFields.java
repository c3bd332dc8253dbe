package dev.parley.platform.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.regex.CompiledPatterns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a guardrail as they are written; docs/guardrails.md has the defaults. */
public record GuardrailFields(
        @JsonProperty("name") @Nullable String name,
        @JsonProperty("on") @Nullable String on,
        @JsonProperty("pattern") @Nullable String pattern,
        @JsonProperty("action") @Nullable String action,
        @JsonProperty("replacement") @Nullable String replacement,
        @JsonProperty("tool") @Nullable String tool,
        @JsonProperty("message") @Nullable String message,
        @JsonProperty("onError") @Nullable String onError) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern TOOL = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** Maximum length of a message in characters. */
    public static final int MAX_MESSAGE = 1_000;

    /** Maximum length of a replacement in characters. */
    public static final int MAX_REPLACEMENT = 200;

    /** An invalid field. */
    public static final class Fault extends Exception {
        private static final long serialVersionUID = 1;
        private final String field;
        private final String problem;

        private Fault(String field, String problem) {
            super(field + " " + problem);
            this.field = field;
            this.problem = problem;
        }

        /** The path of the field, such as {@code guardrails[0].pattern}. */
        public String field() {
            return field;
        }

        /** The reason why the field is invalid. */
        public String problem() {
            return problem;
        }
    }

    /**
     * Reads the guardrails of a field.
     *
     * @throws Fault naming the first invalid one
     */
    public static List<Guardrail> read(String field, List<@Nullable GuardrailFields> guardrails) throws Fault {
        if (guardrails.size() > Guardrail.MAX_COUNT) {
            throw new Fault(field, "has at most " + Guardrail.MAX_COUNT + " guardrails");
        }
        var rails = new ArrayList<Guardrail>();
        var names = new HashSet<String>();
        for (GuardrailFields fields : guardrails) {
            String path = field + "[" + rails.size() + "]";
            if (fields == null) {
                throw new Fault(path, "is a guardrail");
            }
            Guardrail rail = fields.read(path + ".");
            if (!names.add(rail.name())) {
                throw new Fault(path + ".name", "is already used by another guardrail, '" + rail.name() + "'");
            }
            rails.add(rail);
        }
        return rails;
    }

    private Guardrail read(String prefix) throws Fault {
        if (name == null || !NAME.matcher(name).matches()) {
            throw new Fault(prefix + "name", "is 1 to 64 letters, digits, '_', '.' or '-'");
        }
        if ((pattern == null) == (tool == null)) {
            throw new Fault(prefix + "pattern", "is needed, or 'tool' instead, but not both");
        }
        return new Guardrail(
                name,
                stages(prefix),
                pattern == null ? null : pattern(prefix, pattern),
                tool == null ? null : tool(prefix, tool),
                tool == null ? action(prefix) : forTools(prefix),
                text(prefix + "replacement", replacement, MAX_REPLACEMENT, Guardrail.REPLACEMENT),
                text(prefix + "message", message, MAX_MESSAGE, Guardrail.MESSAGE),
                failsOpen(prefix));
    }

    private List<GuardrailStage> stages(String prefix) throws Fault {
        return switch (on) {
            case null -> List.of(GuardrailStage.values());
            case "both" -> List.of(GuardrailStage.values());
            case "input" -> List.of(GuardrailStage.INPUT);
            case "output" -> List.of(GuardrailStage.OUTPUT);
            default -> throw new Fault(prefix + "on", "is input, output or both");
        };
    }

    private static String pattern(String prefix, String text) throws Fault {
        try {
            return CompiledPatterns.compile(text).pattern();
        } catch (IllegalArgumentException e) {
            throw new Fault(prefix + "pattern", "cannot be used: " + e.getMessage());
        }
    }

    private static String tool(String prefix, String text) throws Fault {
        if (!TOOL.matcher(text).matches() || ToolSpec.OWN.contains(text) || ToolSpec.OF_MACHINE.contains(text)) {
            throw new Fault(prefix + "tool", "is the name of a tool that a worker carries out");
        }
        return text;
    }

    private GuardrailAction action(String prefix) throws Fault {
        boolean rewrites = "rewrite".equals(action);
        if (!rewrites && !"block".equals(action)) {
            throw new Fault(prefix + "action", "is block or rewrite");
        }
        if (!rewrites && replacement != null) {
            throw new Fault(prefix + "replacement", "is for the action rewrite");
        }
        return rewrites ? GuardrailAction.REWRITE : GuardrailAction.BLOCK;
    }

    private GuardrailAction forTools(String prefix) throws Fault {
        if (action != null || replacement != null) {
            throw new Fault(
                    prefix + (action == null ? "replacement" : "action"),
                    "is for patterns; a tool decides on the action itself");
        }
        return GuardrailAction.BLOCK;
    }

    private static String text(String field, @Nullable String value, int limit, String fallback) throws Fault {
        if (value != null && value.length() > limit) {
            throw new Fault(field, "has at most " + limit + " characters");
        }
        return value == null ? fallback : value;
    }

    private boolean failsOpen(String prefix) throws Fault {
        return switch (onError) {
            case null -> false;
            case "block" -> false;
            case "allow" -> true;
            default -> throw new Fault(prefix + "onError", "is block or allow");
        };
    }

    /** The fields of a guardrail. */
    public static GuardrailFields of(Guardrail rail) {
        boolean rewrites = rail.tool() == null && rail.action() == GuardrailAction.REWRITE;
        return new GuardrailFields(
                rail.name(),
                rail.on().size() == 1 ? rail.on().getFirst().code() : "both",
                rail.pattern(),
                rail.tool() == null ? rail.action().code() : null,
                rewrites ? rail.replacement() : null,
                rail.tool(),
                rail.message(),
                rail.failsOpen() ? "allow" : "block");
    }
}
