/** The workspaces of projects: files, versions, snapshots, and the tools that change them. */
@NullMarked
package dev.parley.tools.files;

import org.jspecify.annotations.NullMarked;
