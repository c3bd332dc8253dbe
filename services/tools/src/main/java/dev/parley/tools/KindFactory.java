package dev.parley.tools;

import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.audit.AuditTrail;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.outbound.Outbound;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.mcp.McpKind;
import dev.parley.tools.plugin.JavaKind;
import dev.parley.tools.plugin.Plugins;
import dev.parley.tools.rest.Endpoints;
import dev.parley.tools.rest.RestKind;
import dev.parley.tools.script.ScriptKind;
import dev.parley.tools.wasm.WasmKind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The beans of the kinds of defined tools. They start nothing before the first call. */
@Factory
@Requires(property = "parley.role.tools", value = "true")
final class KindFactory {
    @Singleton
    @Bean(preDestroy = "close")
    Plugins plugins(ParleyConfig config) {
        return Plugins.load(config.tools().plugins());
    }

    @Singleton
    @Bean(preDestroy = "close")
    McpKind mcp(Outbound outbound, ParleyConfig config, Optional<MeterRegistry> meters) {
        return new McpKind(outbound, config.powers(), meters.orElse(null));
    }

    @Singleton
    @Bean(preDestroy = "close")
    ToolKind rest(Outbound outbound, KafkaDefinitions definitions, AccessFollower directory, AuditTrail audit) {
        return new RestKind(outbound, new Endpoints(definitions, directory, audit::record));
    }

    @Singleton
    @Bean(preDestroy = "close")
    ToolKind javascript() {
        return ScriptKind.javascript();
    }

    @Singleton
    @Bean(preDestroy = "close")
    ToolKind python(ParleyConfig config) {
        return ScriptKind.python(config.tools().python());
    }

    @Singleton
    @Bean(preDestroy = "close")
    ToolKind wasm(BlobStore blobs) {
        return new WasmKind(blobs);
    }

    @Singleton
    @Bean(preDestroy = "close")
    ToolKind java(Plugins plugins, ParleyConfig config) {
        return new JavaKind(plugins, config.powers());
    }
}
