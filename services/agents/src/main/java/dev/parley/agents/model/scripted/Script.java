package dev.parley.agents.model.scripted;

import dev.parley.agents.model.scripted.ScriptDirective.Call;
import dev.parley.agents.model.scripted.ScriptDirective.Delay;
import dev.parley.agents.model.scripted.ScriptDirective.Empty;
import dev.parley.agents.model.scripted.ScriptDirective.Fail;
import dev.parley.agents.model.scripted.ScriptDirective.Finish;
import dev.parley.agents.model.scripted.ScriptDirective.Loop;
import dev.parley.agents.model.scripted.ScriptDirective.Raw;
import dev.parley.agents.model.scripted.ScriptDirective.Report;
import dev.parley.agents.model.scripted.ScriptDirective.Say;
import dev.parley.agents.model.scripted.ScriptDirective.Stream;
import dev.parley.agents.model.scripted.ScriptDirective.Think;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The script in a message: lines that begin with {@code !} are directives, {@code !then} begins the next step, other
 * lines are talk.
 *
 * @param steps at least one
 */
record Script(List<Step> steps) {
    private static final Pattern LINE = Pattern.compile("!([a-z]+)(?:\\s+(.*))?", Pattern.DOTALL);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(ms|s|m)");
    private static final Pattern TOOL = Pattern.compile("(\\S+)(?:\\s+(.+))?", Pattern.DOTALL);
    private static final Pattern DELEGATE = Pattern.compile("(\\S+)\\s+(.+)", Pattern.DOTALL);
    private static final Pattern STREAM = Pattern.compile("(?:(\\d{1,5})\\s+words)?\\s*(?:(?:over\\s+)?(\\S+))?");
    private static final Pattern FAIL =
            Pattern.compile("(\\S+)(?:\\s+times\\s+(\\d{1,4}))?(?:\\s+retry-after\\s+(\\S+))?");
    private static final Pattern FIGURE = Pattern.compile("(in|out|reasoning|cacheRead|cacheWrite|cost)=(\\S+)");
    private static final Duration MAX_DURATION = Duration.ofHours(1);
    private static final int WORDS_PER_SECOND = 10;

    Script {
        steps = List.copyOf(steps);
    }

    /**
     * One answer of the model.
     *
     * @param talk the lines without directives
     */
    record Step(List<ScriptDirective> directives, String talk) {
        Step {
            directives = List.copyOf(directives);
        }
    }

    /** Parses a message. An invalid directive becomes one that reports the error. */
    static Script parse(String message) {
        var steps = new ArrayList<Step>();
        var directives = new ArrayList<ScriptDirective>();
        var talk = new ArrayList<String>();
        for (String line : message.strip().split("\\R")) {
            if (line.strip().equals("!then")) {
                steps.add(new Step(directives, String.join("\n", talk).strip()));
                directives.clear();
                talk.clear();
            } else if (line.startsWith("!")) {
                directives.add(directive(line.strip()));
            } else {
                talk.add(line);
            }
        }
        steps.add(new Step(directives, String.join("\n", talk).strip()));
        return new Script(steps);
    }

    /** The step with this number, or null after the last one; a loop never ends. */
    @Nullable
    Step step(int number) {
        Step last = steps.getLast();
        boolean loops = last.directives().stream().anyMatch(Loop.class::isInstance);
        return number < steps.size() ? steps.get(number) : loops ? last : null;
    }

    private static ScriptDirective directive(String line) {
        Matcher matcher = LINE.matcher(line);
        try {
            if (matcher.matches()) {
                String arguments = matcher.group(2);
                return directive(matcher.group(1), arguments == null ? "" : arguments.strip());
            }
        } catch (IllegalArgumentException e) {
            return new Say("I cannot read \"" + line + "\": " + e.getMessage() + ". Say help for what I can.");
        }
        return new Say("I cannot read \"" + line + "\". Say help for what I can.");
    }

    private static ScriptDirective directive(String keyword, String arguments) {
        return switch (keyword) {
            case "say" -> new Say(arguments.replace("\\n", "\n"));
            case "think" -> new Think(arguments);
            case "delay" -> new Delay(duration(arguments));
            case "stream" -> stream(arguments);
            case "call" -> call(arguments);
            case "loop" -> new Loop(call(arguments).tool(), call(arguments).arguments());
            case "delegate" -> delegate(arguments);
            case "fail" -> fail(arguments);
            case "finish" -> new Finish(FinishReason.valueOf(constant(arguments)));
            case "raw" -> new Raw(arguments);
            case "usage" -> new Report(usage(arguments));
            case "empty" -> new Empty();
            default -> throw new IllegalArgumentException("there is no !" + keyword);
        };
    }

    private static Matcher match(Pattern pattern, String text, String usage) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("it is " + usage);
        }
        return matcher;
    }

    private static Call call(String text) {
        Matcher matcher = match(TOOL, text, "!call TOOL {json}");
        String arguments = matcher.group(2);
        return new Call(matcher.group(1), arguments == null ? "{}" : arguments);
    }

    private static Call delegate(String arguments) {
        Matcher matcher = match(DELEGATE, arguments, "!delegate AGENT TASK");
        return new Call(
                "delegate", JsonOut.object(o -> o.put("agent", matcher.group(1)).put("task", matcher.group(2))));
    }

    private static Stream stream(String arguments) {
        Matcher matcher = match(STREAM, arguments, "!stream 60s, or !stream 200 words over 10s");
        Duration duration = matcher.group(2) == null ? Duration.ZERO : duration(matcher.group(2));
        int words = matcher.group(1) == null
                ? Math.toIntExact(Math.max(1, duration.toMillis() * WORDS_PER_SECOND / 1_000))
                : Integer.parseInt(matcher.group(1));
        return new Stream(words, duration);
    }

    private static Fail fail(String arguments) {
        Matcher matcher = match(FAIL, arguments, "!fail CATEGORY [times N] [retry-after 1s]");
        int times = matcher.group(2) == null ? Integer.MAX_VALUE : Integer.parseInt(matcher.group(2));
        Duration after = matcher.group(3) == null ? null : duration(matcher.group(3));
        return new Fail(ErrorCategory.valueOf(constant(matcher.group(1))), times, after);
    }

    private static Usage usage(String arguments) {
        long in = 0, out = 0, reasoning = 0, cacheRead = 0, cacheWrite = 0;
        Long cost = 0L;
        for (Matcher figure = FIGURE.matcher(arguments); figure.find(); ) {
            String value = figure.group(2);
            switch (figure.group(1)) {
                case "in" -> in = Long.parseLong(value);
                case "out" -> out = Long.parseLong(value);
                case "reasoning" -> reasoning = Long.parseLong(value);
                case "cacheRead" -> cacheRead = Long.parseLong(value);
                case "cacheWrite" -> cacheWrite = Long.parseLong(value);
                default ->
                    cost = value.equals("unknown")
                            ? null
                            : (Long) new BigDecimal(value).movePointRight(9).longValue();
            }
        }
        return new Usage(in, out, reasoning, cacheRead, cacheWrite, cost);
    }

    private static Duration duration(String text) {
        Matcher matcher = match(DURATION, text, "a time such as 2s, 300ms or 1m");
        var number = new BigDecimal(matcher.group(1));
        Duration duration = Duration.ofMillis(
                switch (matcher.group(2)) {
                    case "ms" -> number.longValue();
                    case "s" -> number.movePointRight(3).longValue();
                    default -> number.movePointRight(3).longValue() * 60;
                });
        return duration.compareTo(MAX_DURATION) > 0 ? MAX_DURATION : duration;
    }

    private static String constant(String text) {
        return text.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
