package dev.parley.control.catalogue;

import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.Entry;
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
@Requires(property = "parley.role.control", value = "true", beans = Catalogue.class)
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
        B checked(DefinitionScope scope, B body);
    }

    private record Kind<B extends Entry>(
            String name, CatalogueTable<B> sort, Catalogue catalogue, JsonMapper json, Check<B> check)
            implements ArchivedKind {
        @Override
        public List<JsonNode> all(DefinitionScope scope) {
            return catalogue.own(scope, sort).stream()
                    .map(row -> sort.write(row.body()))
                    .toList();
        }

        @Override
        public Optional<String> make(DefinitionScope scope, JsonNode one) throws IOException {
            B body = check.checked(scope, Objects.requireNonNull(json.readValueFromTree(one, sort.type())));
            Optional<CatalogueRow<B>> there = catalogue.own(scope, sort, body);
            if (there.isPresent()) {
                boolean same = sort.write(there.get().body()).equals(sort.write(body));
                return same
                        ? Optional.empty()
                        : Optional.of("the project has a different one of this name and version");
            }
            catalogue.make(scope, sort, body, false);
            return Optional.empty();
        }
    }
}
