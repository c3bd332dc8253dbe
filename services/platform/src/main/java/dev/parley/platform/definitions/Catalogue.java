package dev.parley.platform.definitions;

import dev.parley.domain.definition.Definitions;
import java.util.UUID;

/** All definitions of the installation. */
@FunctionalInterface
public interface Catalogue {
    /**
     * What a session of this project sees: a project's own definitions go before those of its host with the same name, and
     * these before those of the installation.
     */
    Definitions in(UUID host, UUID project);

    /** Whether the agent with this name that is seen there is the project's or the host's own, not the installation's. */
    default boolean isOwn(UUID host, UUID project, String agent) {
        return false;
    }
}
