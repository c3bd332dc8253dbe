package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.platform.config.ProcessRole;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A package whose {@code package-info} names a role has beans in processes with this role only. */
class RolePackagesTest {
    private static final String ROLE = "parley.role.";

    @Test
    void aPackageHasBeansWhereItsRoleIsOnAndNowhereElse() {
        // When
        Map<String, Set<String>> rolesOfBeans = new HashMap<>();
        for (ProcessRole role : ProcessRole.values()) {
            try (var context = ApplicationContext.run(Map.of(ROLE + role.code(), "true"))) {
                rolesOfBeans.put(
                        role.code(),
                        context.getAllBeanDefinitions().stream()
                                .map(bean -> bean.getClass().getPackageName())
                                .distinct()
                                .flatMap(bean -> roleOf(bean).stream())
                                .collect(Collectors.toSet()));
            }
        }

        // Then
        Map<String, Set<String>> own = rolesOfBeans.keySet().stream()
                .collect(Collectors.toMap(role -> role, role -> role.equals("tools") ? Set.of() : Set.of(role)));
        assertEquals(own, rolesOfBeans, "the packages of the tools belong to several roles");
    }

    /** The role that a package or one above it names. */
    private static Optional<String> roleOf(String packageName) {
        if (!packageName.startsWith("dev.parley.")) {
            return Optional.empty();
        }
        return named(packageName).or(() -> roleOf(packageName.substring(0, packageName.lastIndexOf('.'))));
    }

    private static Optional<String> named(String packageName) {
        try {
            Class<?> info = Class.forName(packageName + ".package-info");
            return Optional.ofNullable(info.getAnnotation(Requires.class))
                    .map(requires -> requires.property().substring(ROLE.length()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }
}
