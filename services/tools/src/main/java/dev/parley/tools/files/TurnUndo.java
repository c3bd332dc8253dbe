package dev.parley.tools.files;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.files.ReversionRows.Change;
import dev.parley.tools.files.Workspace.Tables;
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
 * @param author the user who requested it
 */
record TurnUndo(Tables tables, UUID call, Author.Person author) {
    private static final ObjectMapper JSON =
            JsonMappers.stored().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /**
     * A file to be reverted.
     *
     * @param current the expected current version, if there are no other changes
     * @param isUnchangedSince whether there are no other changes of the file in between
     * @param version the version to restore; 0 to delete the file
     */
    private record Target(UUID file, int current, boolean isUnchangedSince, int version) {}

    /** Reverts the changes of these turns. */
    FileReversion revertTurns(List<UUID> turns) {
        return once(turns, () -> {
            List<VersionRows.TurnChanges> changed = tables.files()
                    .versions()
                    .changedBy(tables.host(), tables.project(), turns, Workspace.MAX_CHANGES + 1);
            if (changed.size() > Workspace.MAX_CHANGES) {
                throw new WorkspaceException(
                        Kind.TOO_MANY,
                        "the turns changed more than " + Workspace.MAX_CHANGES
                                + " files; restore the snapshot of before them");
            }
            return changed.stream()
                    .map(changes -> new Target(changes.file(), changes.current(), changes.alone(), changes.first() - 1))
                    .toList();
        });
    }

    /** Undoes these reversions, the last one first. */
    FileReversion undoReversions(List<UUID> reversions) {
        return once(List.of(), () -> {
            var targets = new LinkedHashMap<UUID, Target>();
            for (UUID reversion : reversions) {
                for (Change change : tables.reversions().undo(tables.host(), tables.project(), reversion)) {
                    Target later = targets.get(change.file());
                    boolean unchangedSince =
                            later == null || (later.isUnchangedSince() && later.version() == change.to());
                    targets.put(
                            change.file(),
                            new Target(
                                    change.file(),
                                    later == null ? change.to() : later.current(),
                                    unchangedSince,
                                    change.from()));
                }
            }
            return List.copyOf(targets.values());
        });
    }

    private FileReversion once(List<UUID> turns, Supplier<List<Target>> targets) {
        Optional<String> earlier = tables.reversions().find(tables.host(), tables.project(), call);
        return earlier.map(TurnUndo::read).orElseGet(() -> {
            var reversion = new FileReversion.Draft();
            List<Target> toRevert = targets.get();
            if (!toRevert.isEmpty()) {
                tables.snapshots().takeBeforeRestore(author);
            }
            var toRestore = new ArrayList<Target>();
            for (Target target : toRevert) {
                if (isDeletion(target)) {
                    remove(target, reversion); // first, because it frees paths
                } else {
                    toRestore.add(target);
                }
            }
            toRestore.forEach(target -> restore(target, reversion));
            FileReversion result = reversion.build();
            save(turns, reversion.changes(), result);
            return result;
        });
    }

    private static FileReversion read(String json) {
        return JSON.convertValue(JsonMappers.tree(json), FileReversion.class);
    }

    private void save(List<UUID> turns, List<Change> changes, FileReversion result) {
        tables.reversions()
                .insert(
                        tables.host(),
                        tables.project(),
                        call,
                        turns,
                        changes.stream().map(Change::file).toList(),
                        changes.stream().map(Change::from).toList(),
                        changes.stream().map(Change::to).toList(),
                        JSON.valueToTree(result).toString(),
                        author.name());
    }

    private boolean isDeletion(Target target) {
        return target.version() == 0
                || tables.files()
                        .version(target.file(), target.version())
                        .map(FileVersion::sha256)
                        .isEmpty();
    }

    /** The current file; empty if others have changed it since. */
    private Optional<FileInfo> findUnchanged(Target target, FileReversion.Draft reversion) {
        FileInfo file = tables.files().byId(target.file()).orElseThrow();
        if (!target.isUnchangedSince() || file.version() != target.current()) {
            reversion.leave(file.path(), "somebody else has changed it since");
            return Optional.empty();
        }
        return Optional.of(file);
    }

    private void remove(Target target, FileReversion.Draft reversion) {
        findUnchanged(target, reversion)
                .filter(file -> file.deletedAt() == null)
                .ifPresent(file -> reversion.addRestored(
                        file, tables.files().delete(file, author).version()));
    }

    private void restore(Target target, FileReversion.Draft reversion) {
        FileInfo file = findUnchanged(target, reversion).orElse(null);
        if (file == null) {
            return;
        }
        if (file.deletedAt() == null) {
            if (isAlreadyRestored(file, target)) {
                return;
            }
        } else {
            Optional<String> obstacle = Workspace.obstacle(tables, new FilePath(file.path()));
            if (obstacle.isPresent()) {
                reversion.leave(file.path(), obstacle.get());
                return;
            }
        }
        reversion.addRestored(
                file,
                Workspace.restoreVersion(tables, file, target.file(), target.version(), author)
                        .version());
    }

    /** Whether the file already has the content and metadata of the version to restore. */
    private boolean isAlreadyRestored(FileInfo file, Target target) {
        FileVersion earlier =
                tables.files().version(target.file(), target.version()).orElseThrow();
        return file.sha256().equals(earlier.sha256()) && file.metadata().equals(earlier.metadata());
    }
}
