package dev.parley.tools.files;

import dev.parley.tools.files.WorkspaceException.Kind;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes snapshots of a project, within a transaction that has locked the workspace. */
record Snapshots(UUID host, UUID project, SnapshotRows rows) {
    /** Maximum snapshots by users, and maximum automatic ones; the oldest automatic ones are deleted. */
    static final int MAX_SNAPSHOTS = 1_000;

    /** Takes a snapshot before the first change of a step of a turn. */
    void takeBeforeStep(Author.Call call) {
        if (!rows.isTaken(host, project, call.turnId(), call.step())) {
            take("step", call.name(), call);
        }
    }

    /** Takes a snapshot before a restoration. */
    WorkspaceSnapshot takeBeforeRestore(Author author) {
        return take("restore", author.name(), null);
    }

    /**
     * Takes a snapshot for a user.
     *
     * @throws WorkspaceException when the maximum is reached
     */
    WorkspaceSnapshot takeForUser(Author author) {
        int count = rows.countRequested(host, project);
        if (count >= MAX_SNAPSHOTS) {
            throw new WorkspaceException(
                    Kind.TOO_MANY, "the project has " + count + " snapshots; delete some that are not needed");
        }
        return take("user", author.name(), null);
    }

    private WorkspaceSnapshot take(String reason, String by, Author.@Nullable Call call) {
        UUID id = UUID.randomUUID();
        SnapshotRows.Tree tree = rows.tree(host, project);
        rows.insert(
                host,
                project,
                id,
                tree.hash(),
                tree.files(),
                reason,
                call == null ? null : call.sessionId(),
                call == null ? null : call.turnId(),
                call == null ? null : call.step(),
                by);
        rows.insertFiles(host, project, id);
        rows.deleteSurplus(host, project, MAX_SNAPSHOTS);
        return rows.find(host, project, id).orElseThrow();
    }
}
