package dev.parley.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.parley.domain.Ids;
import dev.parley.memory.view.DeferredIndexes;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.health.Readiness;
import dev.parley.sessions.projection.SessionViewsReplay;
import dev.parley.workflows.view.WorkflowReplay;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Code outside of {@code Database} cannot access tables without a tenant. */
class ConnectionsTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.parley");

    /** What may use {@link Tenant#ALL}, by the reason. */
    private static final Map<String, List<String>> FOR_ALL_TENANTS = Map.of(
            "the hosts themselves, and people, who belong to several",
            List.of(
                    "dev.parley.control.hosts.Hosts",
                    "dev.parley.control.people.EmailOwnership",
                    "dev.parley.control.people.Identities",
                    "dev.parley.control.people.IdentityRequests",
                    "dev.parley.control.people.People",
                    "dev.parley.control.people.SignInCodes",
                    "dev.parley.control.people.SignIns",
                    "dev.parley.platform.bearer.LinkedPeopleTable"),
            "figures for the administrator of the installation",
            List.of("dev.parley.control.credentials.SealingController", "dev.parley.tools.UnknownCalls"),
            "work in the background",
            List.of(
                    "dev.parley.agents.budget.BudgetLedger",
                    "dev.parley.channels.bots.BotRegistry",
                    "dev.parley.channels.bots.delivery.DeliveryLedger",
                    "dev.parley.channels.hooks.HookIntake",
                    "dev.parley.channels.hooks.HookSecrets",
                    "dev.parley.channels.hooks.HookSender",
                    "dev.parley.channels.openai.store.ResponseStore",
                    "dev.parley.control.credentials.Resealing",
                    "dev.parley.control.keys.UsageCounter",
                    "dev.parley.control.outbox.OutboxPublisher",
                    "dev.parley.control.outbox.Republication",
                    "dev.parley.tools.ToolLedger",
                    "dev.parley.tools.files.Workspaces",
                    "dev.parley.workflows.catalogue.WorkflowCatalogue"),
            "projections, replays and erasures",
            List.of(
                    "dev.parley.memory.erasure.ErasedMemories",
                    "dev.parley.memory.view.DeferredIndexes",
                    "dev.parley.memory.view.MemoryReplay",
                    "dev.parley.platform.database.Digest",
                    "dev.parley.platform.projection.EventProjection",
                    "dev.parley.sessions.erasure.Erasures",
                    "dev.parley.sessions.projection.SessionViewsReplay",
                    "dev.parley.sessions.projection.TurnEventProjection",
                    "dev.parley.workflows.view.WorkflowReplay"),
            "benchmarks",
            List.of(
                    "dev.parley.bench.BenchReplay",
                    "dev.parley.bench.BenchViews",
                    "dev.parley.bench.SyntheticTenants"));

    @Test
    @Tag("I112")
    void onlyDatabaseCodeOpensConnections() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.parley.platform.database", "dev.parley.platform.embedded")
                .and()
                .resideOutsideOfPackage(Readiness.class.getPackageName()) // asks nothing of tables
                .and()
                .resideOutsideOfPackage("dev.parley.imports") // reads databases of other systems
                .and()
                .areNotAssignableTo(dev.parley.memory.view.MemoryReplay.class)
                .and()
                .areNotAssignableTo(DeferredIndexes.class) // ends what a replay has begun
                .and()
                .areNotAssignableTo(WorkflowReplay.class)
                .and()
                .areNotAssignableTo(SessionViewsReplay.class) // holds a lock, and lends the connection that has it
                .should()
                .accessTargetWhere(JavaAccess.Predicates.target(HasName.Predicates.name("getConnection")))
                .check(CLASSES);
    }

    /** {@link java.util.UUID#fromString} reads many forms of one id, so one place decides which form an id has. */
    @Test
    @Tag("B44")
    void onlyOnePlaceReadsIds() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Ids.class.getName())
                .and()
                .doNotHaveFullyQualifiedName("dev.parley.platform.serde.Scalar") // values of records, not names
                .should()
                .accessTargetWhere(JavaAccess.Predicates.target(HasName.Predicates.name("fromString"))
                        .and(JavaAccess.Predicates.targetOwner(JavaClass.Predicates.equivalentTo(UUID.class))))
                .because("ids are read by Ids.parse, in their only form")
                .check(CLASSES);
    }

    @Test
    @Tag("I112")
    void onlyListedClassesWorkForAllTenants() {
        noClasses()
                .that(areNotListed())
                .and()
                .areNotAssignableTo(Tenant.class)
                .should()
                .accessField(Tenant.class, "ALL")
                .because("a request works for its own tenant; what works for all of them is listed with its reason")
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> areNotListed() {
        Set<String> listed =
                FOR_ALL_TENANTS.values().stream().flatMap(List::stream).collect(Collectors.toSet());
        return DescribedPredicate.describe(
                "are not listed", type -> !listed.contains(type.getName().split("\\$", 2)[0]));
    }
}
