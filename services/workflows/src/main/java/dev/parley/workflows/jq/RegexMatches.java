package dev.parley.workflows.jq;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.parley.platform.regex.Regex;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.List;

/** Matches of a regular expression, as jq's {@code match} describes them. */
final class RegexMatches {
    private static final int MAX_TEXT_LENGTH = 1_000_000;
    private static final String FLAGS = "[gixnsl]*";

    private final String text;
    private final String flags;
    private final EvaluationLimits budget;

    private RegexMatches(String text, String flags, EvaluationLimits budget) {
        this.text = text;
        this.flags = flags;
        this.budget = budget;
    }

    /**
     * The matches in a text.
     *
     * @param regex a string, or an array of it and the flags
     * @param onlyFirst stops after the first match, even with the flag {@code g}
     */
    static List<Json> of(Json in, Json regex, Json flags, boolean onlyFirst, EvaluationLimits budget) {
        if (regex instanceof Json.Arr(List<Json> pair)) {
            Json ownFlags = pair.size() > 1 ? pair.get(1) : Values.NULL;
            return of(in, pair.isEmpty() ? Values.NULL : pair.getFirst(), ownFlags, onlyFirst, budget);
        }
        String text = Builtins.text(in, "matched");
        String pattern = Builtins.text(regex, "matched");
        String options = flags.isNull() ? "" : Builtins.text(flags, "used as flags");
        if (!options.matches(FLAGS)) {
            throw new JqException(options + " is not a valid modifier string");
        }
        if (text.length() > MAX_TEXT_LENGTH) {
            throw new JqLimitException("a text of more than " + MAX_TEXT_LENGTH + " characters is not searched");
        }
        budget.step((long) text.length() * (1 + pattern.length() / 20) / 20);
        return new RegexMatches(text, options, budget).find(pattern, onlyFirst);
    }

    private List<Json> find(String pattern, boolean onlyFirst) {
        Matcher matcher = compile(pattern).matcher(text);
        var found = new ArrayList<Json>();
        int position = 0;
        while (position <= text.length() && matcher.find(position)) {
            budget.make(20L * (1 + matcher.groupCount()));
            boolean isEmpty = matcher.end() == matcher.start();
            if (!isEmpty || !flags.contains("n")) {
                found.add(match(matcher));
            }
            if (onlyFirst || !flags.contains("g")) {
                break;
            }
            budget.step(1 + (text.length() - matcher.end()) / 200L);
            position = isEmpty ? matcher.end() + 1 : matcher.end();
        }
        return found;
    }

    private Pattern compile(String pattern) {
        String lines = flags.contains("s") ? "(?s)" : "";
        try {
            return Regex.compile(
                    pattern.isEmpty() ? "(?:)" : lines + pattern.replace("(?<", "(?P<"), flags.contains("i"));
        } catch (IllegalArgumentException e) {
            throw new JqException(pattern + " (at offset 0) is not a valid regex: " + e.getMessage());
        }
    }

    private Json match(Matcher matcher) {
        var captures = new ArrayList<Json>();
        for (int group = 1; group <= matcher.groupCount(); group++) {
            captures.add(span(matcher.start(group), matcher.end(group)).with("name", name(matcher, group)));
        }
        return span(matcher.start(), matcher.end()).with("captures", Json.of(captures));
    }

    private Json.Obj span(int start, int end) {
        if (start < 0) {
            return Json.of("offset", Json.of(-1)).with("length", Json.of(0)).with("string", Values.NULL);
        }
        return Json.of("offset", Json.of(text.codePointCount(0, start)))
                .with("length", Json.of(text.codePointCount(start, end)))
                .with("string", Json.of(text.substring(start, end)));
    }

    private static Json name(Matcher matcher, int group) {
        return matcher.pattern().namedGroups().entrySet().stream()
                .filter(entry -> entry.getValue() == group)
                .map(entry -> Json.of(entry.getKey()))
                .findFirst()
                .orElse(Values.NULL);
    }
}
