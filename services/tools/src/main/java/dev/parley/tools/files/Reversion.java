package dev.parley.tools.files;

import java.util.ArrayList;
import java.util.List;

/**
 * What became of the files that turns had changed.
 *
 * @param restored paths of those that are what they were
 * @param left those that stay as they are
 * @param more how many others there are: of each kind {@link #MOST} are named
 */
public record Reversion(List<String> restored, List<Left> left, int more) {
    /** Most that are named of each kind. */
    public static final int MOST = 100;

    public Reversion {
        restored = List.copyOf(restored);
        left = List.copyOf(left);
    }

    /** A file that stays as it is, and why. */
    public record Left(String path, String why) {}

    /** One in the making. */
    static final class Draft {
        private final List<String> restored = new ArrayList<>();
        private final List<Left> left = new ArrayList<>();
        private final List<ReversionRows.Change> changes = new ArrayList<>();

        void restored(FileInfo before, int version) {
            restored.add(before.path());
            changes.add(new ReversionRows.Change(before.id(), before.version(), version));
        }

        void left(String path, String why) {
            left.add(new Left(path, why));
        }

        List<ReversionRows.Change> changes() {
            return changes;
        }

        Reversion done() {
            int more = Math.max(0, restored.size() - MOST) + Math.max(0, left.size() - MOST);
            return new Reversion(
                    restored.stream().limit(MOST).toList(),
                    left.stream().limit(MOST).toList(),
                    more);
        }
    }
}
