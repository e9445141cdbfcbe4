DROP INDEX "ledger_user";--> statement-breakpoint
DROP INDEX "ledger_purchase";--> statement-breakpoint
DROP INDEX "ledger_consultation";--> statement-breakpoint
CREATE INDEX "consultations_region" ON "consultations" USING btree ("id","region");--> statement-breakpoint
CREATE INDEX "ledger_of_user" ON "ledger" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "ledger_of_purchase" ON "ledger" USING btree ("purchase_id","id");--> statement-breakpoint
CREATE INDEX "ledger_of_consultation" ON "ledger" USING btree ("consultation_id","id");