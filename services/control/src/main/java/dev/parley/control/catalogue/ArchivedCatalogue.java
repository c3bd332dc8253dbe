package dev.parley.control.catalogue;

import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Tools and skills in project archives: every version that the project defines. */
@Factory
@Requires(beans = Catalogue.class)
final class ArchivedCatalogue {
    @Singleton
    @Named("tools")
    @Bean(typed = ArchivedKind.class)
    ArchivedKind tools(Catalogue catalogue) {
        return new Kind<>(
                "tools",
                CatalogueTable.TOOL,
                catalogue,
                (scope, document) -> CatalogueRequests.tool(scope, null, document));
    }

    @Singleton
    @Named("skills")
    @Bean(typed = ArchivedKind.class)
    ArchivedKind skills(Catalogue catalogue) {
        return new Kind<>(
                "skills", CatalogueTable.SKILL, catalogue, (_, document) -> CatalogueRequests.skill(null, document));
    }

    private record Kind<B extends DefinitionEntry>(
            String name, CatalogueTable<B> table, Catalogue catalogue, BiFunction<DefinitionScope, JsonNode, B> reader)
            implements ArchivedKind {
        @Override
        public List<JsonNode> export(DefinitionScope scope) {
            return catalogue.own(scope, table).stream()
                    .map(row -> switch (row.stored()) {
                        case Valid<B>(B body) -> table.write(body);
                        case Refused<B> refused -> JsonNode.from(refused.document());
                    })
                    .toList();
        }

        @Override
        public Optional<String> importOne(DefinitionScope scope, JsonNode definition) {
            B body = reader.apply(scope, definition);
            Optional<CatalogueRow<B>> existing = catalogue.own(scope, table, body);
            if (existing.isPresent()) {
                boolean isSame = existing.get()
                        .stored()
                        .valid()
                        .filter(own -> table.write(own).equals(table.write(body)))
                        .isPresent();
                return isSame
                        ? Optional.empty()
                        : Optional.of("the project has a different one of this name and version");
            }
            catalogue.create(scope, table, body, false);
            return Optional.empty();
        }
    }
}
