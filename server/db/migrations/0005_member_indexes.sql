CREATE INDEX "pawcare_pets_pet" ON "pawcare_pets" USING btree ("pet_id");--> statement-breakpoint
CREATE INDEX "subscription_pets_subscription" ON "subscription_pets" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "subscription_pets_pet" ON "subscription_pets" USING btree ("pet_id");--> statement-breakpoint
CREATE INDEX "subscriptions_ending" ON "subscriptions" USING btree ("end") WHERE ended_at is null and "end" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_renewing" ON "subscriptions" USING btree ("current_period_end") WHERE "end" is null and deleted_at is null;