package dev.parley.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.parley.memory.view.DeferredIndexes;
import dev.parley.platform.health.Readiness;
import dev.parley.sessions.projection.Replay;
import dev.parley.workflows.view.WorkflowReplay;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Code outside of {@code Database} cannot access tables without a tenant. */
class ConnectionsTest {
    @Test
    @Tag("I112")
    void onlyDatabaseCodeOpensConnections() {
        // Given
        var classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.parley");

        // Then
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.parley.platform.database", "dev.parley.platform.embedded")
                .and()
                .resideOutsideOfPackage(Readiness.class.getPackageName()) // asks nothing of tables
                .and()
                .resideOutsideOfPackage("dev.parley.server.imports") // reads databases of other systems
                .and()
                .areNotAssignableTo(dev.parley.memory.view.MemoryReplay.class)
                .and()
                .areNotAssignableTo(DeferredIndexes.class) // ends what a replay has begun
                .and()
                .areNotAssignableTo(WorkflowReplay.class)
                .and()
                .areNotAssignableTo(Replay.class) // holds a lock, and lends the connection that has it
                .should()
                .accessTargetWhere(JavaAccess.Predicates.target(HasName.Predicates.name("getConnection")))
                .check(classes);
    }
}
