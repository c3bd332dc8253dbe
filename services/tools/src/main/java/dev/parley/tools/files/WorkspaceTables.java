package dev.parley.tools.files;

import jakarta.inject.Singleton;

/** The repositories of workspaces. */
@Singleton
record WorkspaceTables(FileRows files, VersionRows versions, SnapshotRows snapshots, ReversionRows reversions) {}
