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
 * What differs between two texts, as a unified diff. Lines end with a line feed and keep everything else, so that a text comes back to
 * the byte; what is after the last line feed is a line as well.
 */
final class TextPatch {
    /** Lines, on both sides together, that are compared one by one; a longer stretch is replaced as a whole. */
    private static final int COMPARED = 10_000;

    private static final int SHOWN_AROUND = 3;
    private static final String NO_NEWLINE = "\n\\ No newline at end of file";

    private TextPatch() {}

    /** What makes the second text of the first, to be kept: without context. Empty where they are the same. */
    static String between(String before, String after) {
        return unified("a", "b", lines(before), lines(after), 0);
    }

    /** The same for people and the command {@code patch}. Empty where the texts are the same. */
    static String shown(String from, String before, String to, String after) {
        String diff = unified(from, to, shownLines(before), shownLines(after), SHOWN_AROUND);
        return diff.isEmpty() ? diff : diff + "\n";
    }

    /**
     * The text that comes of these changes, each of what the one before made.
     *
     * @throws PatchFailedException when a change is not one of this text
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

    /** A last line without a line feed says so, as {@code diff} writes it. */
    private static List<String> shownLines(String text) {
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

    private static String unified(String from, String to, List<String> before, List<String> after, int context) {
        return String.join("\n", UnifiedDiffUtils.generateUnifiedDiff(from, to, before, patch(before, after), context));
    }

    /** Only what stands between the same beginning and the same end is compared: it is little, as a rule. */
    private static Patch<String> patch(List<String> before, List<String> after) {
        int head = 0;
        int shorter = Math.min(before.size(), after.size());
        while (head < shorter && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        List<String> was = before.subList(head, before.size() - tail);
        List<String> is = after.subList(head, after.size() - tail);
        if (was.size() + is.size() > COMPARED) {
            return replaced(head, was, head, is, new Patch<>());
        }
        var numbers = new HashMap<String, Integer>(); // which are compared often, and at once
        List<Integer> wasNumbers = numbered(was, numbers);
        List<Integer> isNumbers = numbered(is, numbers);
        var deltas = DiffUtils.diff(wasNumbers, isNumbers, new MeyersDiffWithLinearSpace<>())
                .getDeltas();
        return joined(deltas, head, was, is);
    }

    private static List<Integer> numbered(List<String> lines, Map<String, Integer> numbers) {
        return lines.stream()
                .map(line -> numbers.computeIfAbsent(line, _ -> numbers.size()))
                .toList();
    }

    /** The algorithm tells what is gone and what came in its place one after the other: they are one change. */
    private static Patch<String> joined(
            List<AbstractDelta<Integer>> deltas, int head, List<String> was, List<String> is) {
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
            replaced(head + from, was.subList(from, source), head + to, is.subList(to, target), patch);
        }
        return patch;
    }

    private static int end(Chunk<Integer> chunk) {
        return chunk.getPosition() + chunk.size();
    }

    private static boolean begins(AbstractDelta<Integer> delta, int source, int target) {
        return delta.getSource().getPosition() == source && delta.getTarget().getPosition() == target;
    }

    private static Patch<String> replaced(int at, List<String> was, int by, List<String> is, Patch<String> patch) {
        patch.addDelta(new ChangeDelta<>(new Chunk<>(at, was), new Chunk<>(by, is)));
        return patch;
    }
}
