package dev.parley.platform.config.bot;

import java.util.Set;

/** The names of all bots, including those made at run time where this process knows them. */
@FunctionalInterface
public interface BotNames {
    /** The names of the bots whose sessions are in this project. */
    Set<String> of(String projectKey);
}
