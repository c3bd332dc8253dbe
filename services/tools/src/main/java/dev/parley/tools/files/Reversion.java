package dev.parley.tools.files;

import java.util.ArrayList;
import java.util.List;

/**
 * What became of the files that turns had changed.
 *
 * @param restored paths of those that are what they were
 * @param left those that stay as they are
 * @param more how many others there are: of each kind {@link #MOST} are named, of long paths fewer
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

    /** What an answer has room for: what a tool says is cut where it is too long, and this must stay JSON. */
    private static final class Room {
        private int left = 16_000;

        boolean has(String text) {
            left -= text.length();
            return left >= 0;
        }
    }

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
            var room = new Room();
            var named = restored.stream().takeWhile(room::has).limit(MOST).toList();
            var kept = left.stream()
                    .takeWhile(file -> room.has(file.path() + file.why()))
                    .limit(MOST)
                    .toList();
            return new Reversion(named, kept, restored.size() - named.size() + left.size() - kept.size());
        }
    }
}
