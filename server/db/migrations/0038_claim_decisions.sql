-- A decision that somebody wrote here by hand says nothing about money, so it is to be recorded again. Its words stay.
UPDATE "claims" SET "state" = 'sent' WHERE "state" = 'decided';--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "paid" integer;--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "decided_by" integer;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_decided" CHECK (num_nulls("claims"."paid", "claims"."decided_at", "claims"."decided_by") = case when "claims"."state" = 'decided' then 0 else 3 end);--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_paid" CHECK ("claims"."paid" between 0 and "claims"."amount");