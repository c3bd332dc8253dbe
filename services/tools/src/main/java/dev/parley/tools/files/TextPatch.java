package dev.parley.tools.files;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MeyersDiffWithLinearSpace;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import com.github.difflib.patch.PatchFailedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Unified diffs of texts. Lines are separated by line feeds and otherwise kept verbatim, so that patching restores a
 * text exactly; the text after the last line feed counts as a line.
 */
final class TextPatch {
    /**
     * Maximum differing lines, of both texts together, that are compared line by line; more are replaced as a whole.
     */
    private static final int MAX_COMPARED = 10_000;

    private static final int CONTEXT_LINES = 3;
    private static final String NO_NEWLINE = "\n\\ No newline at end of file";

    private TextPatch() {}

    /** The patch from one text to another for storage, without context; empty if they are equal. */
    static String between(String before, String after) {
        return unifiedDiff("a", "b", lines(before), lines(after), 0);
    }

    /** The diff for users and the command {@code patch}; empty if the texts are equal. */
    static String displayDiff(String from, String before, String to, String after) {
        String diff = unifiedDiff(from, to, displayLines(before), displayLines(after), CONTEXT_LINES);
        return diff.isEmpty() ? diff : diff + "\n";
    }

    /**
     * Applies patches to a text in order.
     *
     * @throws PatchFailedException when a patch does not apply
     */
    static String apply(String text, List<String> patches) throws PatchFailedException {
        if (patches.isEmpty()) {
            return text;
        }
        List<String> lines = lines(text);
        for (String patch : patches) {
            lines = UnifiedDiffUtils.parseUnifiedDiff(lines(patch)).applyTo(lines);
        }
        return String.join("\n", lines);
    }

    private static List<String> lines(String text) {
        return Arrays.asList(text.split("\n", -1));
    }

    /** The lines with the marker of {@code diff} for a missing final line feed. */
    private static List<String> displayLines(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        var lines = new ArrayList<>(lines(text));
        String last = lines.removeLast();
        if (!last.isEmpty()) {
            lines.add(last + NO_NEWLINE);
        }
        return lines;
    }

    private static String unifiedDiff(String from, String to, List<String> before, List<String> after, int context) {
        return String.join("\n", UnifiedDiffUtils.generateUnifiedDiff(from, to, before, patch(before, after), context));
    }

    /** Compares only the lines between the common beginning and end, usually few. */
    private static Patch<String> patch(List<String> before, List<String> after) {
        int shorter = Math.min(before.size(), after.size());
        int head = common(before, after, shorter);
        int tail = common(before.reversed(), after.reversed(), shorter - head);
        List<String> oldLines = before.subList(head, before.size() - tail);
        List<String> newLines = after.subList(head, after.size() - tail);
        if (oldLines.size() + newLines.size() > MAX_COMPARED) {
            return addReplacement(head, oldLines, head, newLines, new Patch<>());
        }
        var numbers = new HashMap<String, Integer>(); // compared often, and faster than lines
        List<Integer> oldNumbers = numberLines(oldLines, numbers);
        List<Integer> newNumbers = numberLines(newLines, numbers);
        var deltas = DiffUtils.diff(oldNumbers, newNumbers, new MeyersDiffWithLinearSpace<>())
                .getDeltas();
        return joinDeltas(deltas, head, oldLines, newLines);
    }

    private static int common(List<String> first, List<String> second, int limit) {
        int common = 0;
        while (common < limit && first.get(common).equals(second.get(common))) {
            common++;
        }
        return common;
    }

    private static List<Integer> numberLines(List<String> lines, Map<String, Integer> numbers) {
        return lines.stream()
                .map(line -> numbers.computeIfAbsent(line, _ -> numbers.size()))
                .toList();
    }

    /** Joins adjacent deltas: the algorithm reports a deletion and its replacement separately. */
    private static Patch<String> joinDeltas(
            List<AbstractDelta<Integer>> deltas, int head, List<String> oldLines, List<String> newLines) {
        var patch = new Patch<String>();
        for (int i = 0; i < deltas.size(); ) {
            AbstractDelta<Integer> first = deltas.get(i);
            int source = end(first.getSource());
            int target = end(first.getTarget());
            for (i++; i < deltas.size() && begins(deltas.get(i), source, target); i++) {
                source = end(deltas.get(i).getSource());
                target = end(deltas.get(i).getTarget());
            }
            int from = first.getSource().getPosition();
            int to = first.getTarget().getPosition();
            addReplacement(head + from, oldLines.subList(from, source), head + to, newLines.subList(to, target), patch);
        }
        return patch;
    }

    private static int end(Chunk<Integer> chunk) {
        return chunk.getPosition() + chunk.size();
    }

    private static boolean begins(AbstractDelta<Integer> delta, int source, int target) {
        return delta.getSource().getPosition() == source && delta.getTarget().getPosition() == target;
    }

    private static Patch<String> addReplacement(
            int oldPosition, List<String> oldLines, int newPosition, List<String> newLines, Patch<String> patch) {
        patch.addDelta(new ChangeDelta<>(new Chunk<>(oldPosition, oldLines), new Chunk<>(newPosition, newLines)));
        return patch;
    }
}
