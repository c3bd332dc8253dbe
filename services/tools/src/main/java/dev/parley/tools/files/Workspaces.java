package dev.parley.tools.files;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import java.util.UUID;

/**
 * The workspaces of all projects.
 *
 * @param database with the schema {@link dev.parley.tools.ToolsSchema}
 * @param blobs where what is no text goes; nobody else may remove anything there
 */
public record Workspaces(Database database, BlobStore blobs) {
    /** The folder of blobs that is theirs: what sessions name, and what they name, is removed by rules of its own. */
    public static Workspaces in(Database database, BlobStore blobs) {
        return new Workspaces(database, blobs.within("workspaces"));
    }

    /** A project's. */
    public Workspace of(UUID host, UUID project) {
        return new Workspace(this, host, project);
    }
}
