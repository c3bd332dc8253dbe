package dev.parley.server.replay;

import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** In what a replayed turn differs, in lines: those of the record begin with {@code -}, those of the replay with {@code +}. */
public final class TurnDiff {
    /** Longer texts are compared by their first lines; the table of a comparison has this many rows and columns. */
    private static final int MOST_LINES = 400;

    private static final int MOST_ARGUMENTS = 200;
    private static final double NANOS_OF_A_DOLLAR = 1e9;

    private TurnDiff() {}

    /** What two lists have in common, and what only one has, in order. */
    static List<String> lines(List<String> before, List<String> after) {
        List<String> a = before.subList(0, Math.min(before.size(), MOST_LINES));
        List<String> b = after.subList(0, Math.min(after.size(), MOST_LINES));
        int[][] common = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                common[i][j] = a.get(i).equals(b.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        var lines = new ArrayList<String>();
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
                lines.add("  " + a.get(i++));
                j++;
            } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
                lines.add("- " + a.get(i++));
            } else {
                lines.add("+ " + b.get(j++));
            }
        }
        if (before.size() > MOST_LINES || after.size() > MOST_LINES) {
            lines.add("… and what follows line " + MOST_LINES);
        }
        return lines;
    }

    /** A turn for people. */
    public static List<String> text(TurnResult result) {
        var text = new ArrayList<String>();
        text.add("%s turn %d: %s".formatted(result.session(), result.number(), result.said()));
        ReplayedTurn replayed = result.replayed();
        if (replayed == null) {
            text.add("  not replayed: " + result.problem());
            return text;
        }
        Answer before = result.recorded();
        Answer after = replayed.answer();
        text.add("  state   " + changed(String.valueOf(before.state()), String.valueOf(after.state())));
        text.add("  reply   " + (before.reply().equals(after.reply()) ? "the same" : "differs"));
        if (!before.reply().equals(after.reply())) {
            lines(before.reply().lines().toList(), after.reply().lines().toList())
                    .forEach(line -> text.add("    " + line));
        }
        List<String> calls = lines(calls(before), calls(after));
        text.add("  calls   " + (calls.isEmpty() ? "none" : isSame(calls) ? "the same" : "differ"));
        calls.forEach(line -> text.add("    " + line));
        text.add("  model   " + changed(String.valueOf(before.model()), String.valueOf(after.model())) + ", "
                + changed(before.steps() + " steps", after.steps() + " steps"));
        text.add("  tokens  " + changed(tokens(before.usage()), tokens(after.usage())) + ", cost "
                + changed(cost(before.usage()), cost(after.usage())));
        notes(replayed).forEach(note -> text.add("  note    " + note));
        return text;
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

    private static List<String> calls(Answer answer) {
        return answer.calls().stream()
                .map(call -> {
                    String arguments = RecordedResults.canonical(call.arguments());
                    String shown = arguments.length() > MOST_ARGUMENTS
                            ? arguments.substring(0, MOST_ARGUMENTS) + "…"
                            : arguments;
                    String status = call.status().name().toLowerCase(Locale.ROOT);
                    return call.name() + " " + shown + " → "
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

    private static String changed(String before, String after) {
        return before.equals(after) ? before : before + " → " + after;
    }
}
