package dev.parley.tools.files;

import dev.parley.tools.files.Workspace.Work;
import dev.parley.tools.files.WorkspaceException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Reverts the changes of turns to files, or undoes such reversions, once per call.
 *
 * @param by the user who requested it
 */
record TurnUndo(Work work, UUID call, Author.Person by) {
    /**
     * A file to be reverted.
     *
     * @param now the expected current version, if nobody else has changed the file
     * @param isAlone whether nobody else has changed the file in between
     * @param version the version to restore; 0 to delete the file
     */
    private record Target(UUID file, int now, boolean isAlone, int version) {}

    /** Reverts the changes of these turns. */
    Reversion takeBack(List<UUID> turns) {
        return once(turns, () -> {
            List<FileRows.Made> all = work.files().madeFor(turns, Workspace.MAX_CHANGES + 1);
            if (all.size() > Workspace.MAX_CHANGES) {
                throw new WorkspaceException(
                        Kind.TOO_MANY,
                        "the turns changed more than " + Workspace.MAX_CHANGES
                                + " files; restore the snapshot of before them");
            }
            return all.stream()
                    .map(made -> new Target(made.file(), made.now(), made.isAlone(), made.first() - 1))
                    .toList();
        });
    }

    /** Undoes these reversions, the last one first. */
    Reversion bringBack(List<UUID> reversions) {
        return once(List.of(), () -> {
            var targets = new LinkedHashMap<UUID, Target>();
            for (UUID reversion : reversions) {
                for (ReversionRows.Change change : work.reversions().undo(reversion)) {
                    Target later = targets.get(change.file());
                    boolean alone = later == null || (later.isAlone() && later.version() == change.to());
                    targets.put(
                            change.file(),
                            new Target(change.file(), later == null ? change.to() : later.now(), alone, change.from()));
                }
            }
            return List.copyOf(targets.values());
        });
    }

    private Reversion once(List<UUID> turns, Supplier<List<Target>> targets) {
        return work.reversions().find(call).orElseGet(() -> {
            var reversion = new Reversion.Draft();
            List<Target> wanted = targets.get();
            if (!wanted.isEmpty()) {
                work.snapshots().beforeRestore(by);
            }
            var back = new ArrayList<Target>();
            for (Target target : wanted) {
                if (isGone(target)) {
                    remove(target, reversion); // first, because it frees paths
                } else {
                    back.add(target);
                }
            }
            back.forEach(target -> putBack(target, reversion));
            Reversion done = reversion.done();
            work.reversions().keep(call, turns, reversion.changes(), done, by);
            return done;
        });
    }

    private boolean isGone(Target target) {
        return target.version() == 0
                || work.files()
                        .version(target.file(), target.version())
                        .map(FileVersion::sha256)
                        .isEmpty();
    }

    /** The current file; empty if somebody else has changed it since. */
    private Optional<FileInfo> unchanged(Target target, Reversion.Draft reversion) {
        FileInfo file = work.files().byId(target.file()).orElseThrow();
        if (!target.isAlone() || file.version() != target.now()) {
            reversion.left(file.path(), "somebody else has changed it since");
            return Optional.empty();
        }
        return Optional.of(file);
    }

    private void remove(Target target, Reversion.Draft reversion) {
        unchanged(target, reversion)
                .filter(file -> file.deletedAt() == null)
                .ifPresent(file ->
                        reversion.restored(file, work.files().delete(file, by).version()));
    }

    private void putBack(Target target, Reversion.Draft reversion) {
        FileInfo file = unchanged(target, reversion).orElse(null);
        if (file == null) {
            return;
        }
        if (file.deletedAt() == null) {
            FileVersion wanted =
                    work.files().version(target.file(), target.version()).orElseThrow();
            if (file.sha256().equals(wanted.sha256()) && file.metadata().equals(wanted.metadata())) {
                return;
            }
        } else {
            Optional<String> obstacle = Workspace.obstacle(work, new FilePath(file.path()));
            if (obstacle.isPresent()) {
                reversion.left(file.path(), obstacle.get());
                return;
            }
        }
        reversion.restored(
                file,
                Workspace.again(work, file, target.file(), target.version(), by).version());
    }
}
