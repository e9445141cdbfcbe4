DROP INDEX "ledger_at";--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "first_taken_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "consultations_figures" ON "consultations" USING btree ("region","start","type","first_taken_at","vet_start","end","told_from","told_to","id");--> statement-breakpoint
CREATE INDEX "ledger_sums" ON "ledger" USING btree ("at","region","currency","kind","amount");--> statement-breakpoint
CREATE INDEX "ratings_at" ON "ratings" USING btree ("at");--> statement-breakpoint
CREATE INDEX "subscriptions_began" ON "subscriptions" USING btree ("region","recurring_start");--> statement-breakpoint
CREATE INDEX "subscriptions_ended" ON "subscriptions" USING btree ("region","ended_at") WHERE ended_at is not null;
--> statement-breakpoint
UPDATE "consultations" SET "first_taken_at" = "first"."at"
FROM (
  SELECT "subject_id", min("at") AS "at" FROM "audit_log"
  WHERE "subject" = 'consultation' AND "action" = 'took' GROUP BY "subject_id"
) AS "first"
WHERE "first"."subject_id" = "consultations"."id"::text
  AND ("consultations"."vet_start" IS NULL OR "consultations"."vet_start" > "first"."at");
