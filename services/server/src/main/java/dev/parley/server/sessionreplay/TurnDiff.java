package dev.parley.server.sessionreplay;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.DeltaType;
import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The difference between a recorded and a replayed turn, in lines: {@code -} for the record, {@code +} for the replay.
 */
public final class TurnDiff {
    /** The maximum number of compared lines. */
    private static final int MAX_LINES = 400;

    private static final int MAX_ARGUMENTS = 200;
    private static final double NANOS_OF_A_DOLLAR = 1e9;

    private TurnDiff() {}

    /** The line diff of two texts. */
    static List<String> lines(List<String> before, List<String> after) {
        var lines = new ArrayList<String>();
        for (AbstractDelta<String> delta :
                DiffUtils.diff(firstLines(before), firstLines(after), true).getDeltas()) {
            if (delta.getType() == DeltaType.EQUAL) {
                delta.getSource().getLines().forEach(line -> lines.add("  " + line));
            } else {
                delta.getSource().getLines().forEach(line -> lines.add("- " + line));
                delta.getTarget().getLines().forEach(line -> lines.add("+ " + line));
            }
        }
        if (before.size() > MAX_LINES || after.size() > MAX_LINES) {
            lines.add("… and what follows line " + MAX_LINES);
        }
        return lines;
    }

    private static List<String> firstLines(List<String> text) {
        return text.subList(0, Math.min(text.size(), MAX_LINES));
    }

    /** A turn as text. */
    public static List<String> text(TurnResult result) {
        var text = new ArrayList<String>();
        text.add("%s turn %d: %s".formatted(result.session(), result.number(), result.said()));
        ReplayedTurn replayed = result.replayed();
        if (replayed == null) {
            text.add("  not replayed: " + result.problem());
        } else {
            addDifferences(result.recorded(), replayed.answer(), text);
            notes(replayed).forEach(note -> text.add("  note    " + note));
        }
        return text;
    }

    private static void addDifferences(TurnAnswer before, TurnAnswer after, List<String> text) {
        text.add("  state   " + describeChange(String.valueOf(before.state()), String.valueOf(after.state())));
        text.add("  reply   " + (before.reply().equals(after.reply()) ? "the same" : "differs"));
        if (!before.reply().equals(after.reply())) {
            lines(before.reply().lines().toList(), after.reply().lines().toList())
                    .forEach(line -> text.add("    " + line));
        }
        List<String> calls = lines(calls(before), calls(after));
        text.add("  calls   " + (calls.isEmpty() ? "none" : isSame(calls) ? "the same" : "differ"));
        calls.forEach(line -> text.add("    " + line));
        text.add("  model   " + describeChange(String.valueOf(before.model()), String.valueOf(after.model())) + ", "
                + describeChange(before.steps() + " steps", after.steps() + " steps"));
        text.add("  tokens  " + describeChange(tokens(before.usage()), tokens(after.usage())) + ", cost "
                + describeChange(cost(before.usage()), cost(after.usage())));
    }

    private static List<String> notes(ReplayedTurn replayed) {
        var notes = new ArrayList<String>();
        if (replayed.notRecorded() > 0) {
            notes.add(replayed.notRecorded()
                    + " calls were answered with \"not recorded\": the record has no result of them");
        }
        if (replayed.approved() > 0) {
            notes.add(replayed.approved() + " questions to a person were answered yes: nothing is done in a replay");
        }
        if (replayed.stopped() != null) {
            notes.add("stopped: " + replayed.stopped());
        }
        return notes;
    }

    private static boolean isSame(List<String> lines) {
        return lines.stream().allMatch(line -> line.startsWith("  "));
    }

    private static List<String> calls(TurnAnswer answer) {
        return answer.calls().stream()
                .map(call -> {
                    String arguments = RecordedResults.canonical(call.arguments());
                    String excerpt = arguments.length() > MAX_ARGUMENTS
                            ? arguments.substring(0, MAX_ARGUMENTS) + "…"
                            : arguments;
                    String status = call.status().name().toLowerCase(Locale.ROOT);
                    return call.name() + " " + excerpt + " → "
                            + (call.content().equals(RecordedResults.NOT_RECORDED) ? "not recorded" : status);
                })
                .toList();
    }

    private static String tokens(Usage usage) {
        return "%,d in %,d out".formatted(usage.input(), usage.output());
    }

    private static String cost(Usage usage) {
        return usage.costNanos() == null
                ? "unknown"
                : String.format(Locale.ROOT, "$%.6f", usage.costNanos() / NANOS_OF_A_DOLLAR);
    }

    private static String describeChange(String before, String after) {
        return before.equals(after) ? before : before + " → " + after;
    }
}
