package dev.parley.platform.definitions;

import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.Definitions;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** All definitions of the installation. */
@FunctionalInterface
public interface DefinitionCatalogue {
    /**
     * The definitions in scope of a project: those of the project override those of its host with the same name, which
     * override those of the installation.
     */
    Definitions in(UUID host, UUID project);

    /** The scope in which a definition that is in scope of a project is published: the project or its host. */
    default CatalogueScope scopeOf(UUID host, UUID project, Definition definition) {
        return new CatalogueScope(host, project);
    }

    /** When a definition that is in scope of a project was published; empty where that is unknown. */
    default Optional<Instant> publishedAt(UUID host, UUID project, Definition definition) {
        return Optional.empty();
    }

    /** Whether the agent in scope with this name is defined by the project or its host, not by the installation. */
    default boolean isOwn(UUID host, UUID project, String agent) {
        return false;
    }
}
