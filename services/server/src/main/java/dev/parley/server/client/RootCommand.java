package dev.parley.server.client;

import dev.parley.platform.config.ParleyConfig;

/** The root of the command line. */
public interface RootCommand {
    /** The settings: flags before environment before file. */
    ParleyConfig config();
}
