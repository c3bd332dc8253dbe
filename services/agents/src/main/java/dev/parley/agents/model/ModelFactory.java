package dev.parley.agents.model;

import dev.parley.agents.budget.BudgetAdmission;
import dev.parley.agents.model.credential.StoredCredentials;
import dev.parley.agents.model.scripted.ScriptedProvider;
import dev.parley.agents.model.scripted.ScriptedTranscriber;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.trace.Tracing;
import dev.parley.platform.worker.WorkerSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** The model beans of the role {@code models}. */
@Factory
final class ModelFactory {
    @Singleton
    ScriptedProvider scripted() {
        return new ScriptedProvider();
    }

    @Singleton
    ScriptedTranscriber transcriber() {
        return new ScriptedTranscriber();
    }

    @Singleton
    @Bean(preDestroy = "close")
    ModelProviders providers(
            ParleyConfig config,
            StoredCredentials stored,
            BlobStore blobs,
            List<ModelProvider> others,
            List<Transcriber> transcribers,
            AccessDirectory directory) {
        return ModelProviders.of(config, System.getenv(), stored, blobs, others, transcribers, directory);
    }

    @Singleton
    @Order(30)
    ModelWorker models(
            KafkaClients clients,
            ModelProviders providers,
            KafkaDefinitions definitions,
            BudgetAdmission budgets,
            Optional<MeterRegistry> meters,
            Tracing tracing,
            LocalDispatch localDispatch) {
        var settings = WorkerSettings.of(ModelWorker.GROUP);
        return new ModelWorker(
                clients, providers, definitions, budgets, settings, meters.orElse(null), tracing, localDispatch);
    }
}
