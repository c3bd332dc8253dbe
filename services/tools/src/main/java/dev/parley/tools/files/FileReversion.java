package dev.parley.tools.files;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of reverting the files that turns had changed.
 *
 * @param restored the paths of restored files
 * @param left the files that were not restored
 * @param more the number of further files: of each kind at most {@link #MAX_NAMED} are named, fewer with long paths
 */
public record FileReversion(List<String> restored, List<Left> left, int more) {
    /** Maximum named files of each kind. */
    public static final int MAX_NAMED = 100;

    public FileReversion {
        restored = List.copyOf(restored);
        left = List.copyOf(left);
    }

    /** A file that was not restored, and the reason. */
    public record Left(String path, String why) {}

    /** The remaining characters of the result: a longer tool result would be cut, which would break its JSON. */
    private static final class Room {
        private int left = 16_000;

        boolean has(String text) {
            left -= text.length();
            return left >= 0;
        }
    }

    /** Collects the result. */
    static final class Draft {
        private final List<String> restored = new ArrayList<>();
        private final List<Left> left = new ArrayList<>();
        private final List<ReversionRows.Change> changes = new ArrayList<>();

        void addRestored(FileInfo before, int version) {
            restored.add(before.path());
            changes.add(new ReversionRows.Change(before.id(), before.version(), version));
        }

        void leave(String path, String reason) {
            left.add(new Left(path, reason));
        }

        List<ReversionRows.Change> changes() {
            return changes;
        }

        FileReversion build() {
            var room = new Room();
            var namedRestored =
                    restored.stream().takeWhile(room::has).limit(MAX_NAMED).toList();
            var namedLeft = left.stream()
                    .takeWhile(file -> room.has(file.path() + file.why()))
                    .limit(MAX_NAMED)
                    .toList();
            return new FileReversion(
                    namedRestored, namedLeft, restored.size() - namedRestored.size() + left.size() - namedLeft.size());
        }
    }
}
