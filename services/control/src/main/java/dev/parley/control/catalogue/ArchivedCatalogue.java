package dev.parley.control.catalogue;

import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.DefinitionScope;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Tools and skills in project archives: every version that the project defines. */
@Factory
@Requires(beans = Catalogue.class)
final class ArchivedCatalogue {
    @Singleton
    @Named("tools")
    @Bean(typed = ArchivedKind.class)
    ArchivedKind tools(Catalogue catalogue, JsonMapper json) {
        return new Kind<>(
                "tools",
                CatalogueTable.TOOL,
                catalogue,
                json,
                (scope, body) -> CatalogueReader.tool(scope, null, body));
    }

    @Singleton
    @Named("skills")
    @Bean(typed = ArchivedKind.class)
    ArchivedKind skills(Catalogue catalogue, JsonMapper json) {
        return new Kind<>(
                "skills",
                CatalogueTable.SKILL,
                catalogue,
                json,
                (scope, body) -> CatalogueReader.skill(scope, null, body));
    }

    /** Validates an imported entry. */
    @FunctionalInterface
    private interface Check<B> {
        B validate(DefinitionScope scope, B body);
    }

    private record Kind<B extends DefinitionEntry>(
            String name, CatalogueTable<B> table, Catalogue catalogue, JsonMapper json, Check<B> check)
            implements ArchivedKind {
        @Override
        public List<JsonNode> export(DefinitionScope scope) {
            return catalogue.own(scope, table).stream()
                    .map(row -> table.write(row.body()))
                    .toList();
        }

        @Override
        public Optional<String> importOne(DefinitionScope scope, JsonNode definition) throws IOException {
            B body = check.validate(scope, Objects.requireNonNull(json.readValueFromTree(definition, table.type())));
            Optional<CatalogueRow<B>> existing = catalogue.own(scope, table, body);
            if (existing.isPresent()) {
                boolean isSame = table.write(existing.get().body()).equals(table.write(body));
                return isSame
                        ? Optional.empty()
                        : Optional.of("the project has a different one of this name and version");
            }
            catalogue.create(scope, table, body, false);
            return Optional.empty();
        }
    }
}
