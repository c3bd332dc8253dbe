package dev.parley.platform.document;

import dev.parley.domain.Names;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.platform.regex.CompiledPatterns;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts. A number, true and false are texts, too, since nobody quotes them in YAML. A blank text is none. */
record Text(Form form, int length, @Nullable Pattern pattern, String problem) implements Value {
    Text(Field rules) {
        this(
                rules.form(),
                rules.length(),
                rules.pattern().isEmpty() ? null : Pattern.compile(rules.pattern()),
                rules.problem());
    }

    /** A single value as text; null for lists and objects. */
    static @Nullable String scalar(Object document) {
        return document instanceof String || document instanceof Number || document instanceof Boolean
                ? document.toString()
                : null;
    }

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        String text = scalar(document);
        if (text != null && text.isBlank() && form != Form.VERBATIM) {
            return null;
        }
        Optional<String> fault = text == null ? Optional.of("must be a text") : problem(text);
        fault.ifPresent(found -> faults.add(new Fault("", found)));
        return fault.isPresent() ? null : text;
    }

    private Optional<String> problem(String text) {
        if (text.codePointCount(0, text.length()) > length) {
            return Optional.of("must have at most " + length + " characters");
        }
        if (pattern != null && !pattern.matcher(text).matches()) {
            return Optional.of(problem);
        }
        if (text.chars().anyMatch(c -> c < ' ' && c != '\n' && c != '\t' && c != '\r')) {
            return Optional.of("must not contain control characters");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return Optional.of("contains an unpaired surrogate");
        }
        return switch (form) {
            case LINE -> Names.problemOfText(text);
            case PATTERN -> problemOfPattern(text);
            default -> Optional.empty();
        };
    }

    private static Optional<String> problemOfPattern(String text) {
        try {
            CompiledPatterns.compile(text);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("cannot be used: " + e.getMessage());
        }
    }

    @Override
    public Object write(Object value) {
        return value;
    }

    @Override
    public Map<String, Object> schema() {
        var schema = new HashMap<String, Object>(Map.of("type", "string"));
        if (length < Integer.MAX_VALUE) {
            schema.put("maxLength", length);
        }
        return schema;
    }
}
